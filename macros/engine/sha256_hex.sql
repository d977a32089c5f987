{# The sha256 of a text's UTF-8 bytes, in lower-case hex. #}
{% macro sha256_hex(text) %} sha256({{ text }}) {% endmacro %}

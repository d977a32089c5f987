{#
    Which state of a memory an event is: one id can be corrected in place, and neither the event
    table nor the HTTP API says by which operation, so that only the text tells its states apart.
#}
{% macro lethe_part(content) %} left({{ sha256_hex(content) }}, 16) {% endmacro %}

{# A text in Unicode's composed form (NFC), in which one name is always written the same way. #}
{% macro composed(text) %} nfc_normalize({{ text }}) {% endmacro %}

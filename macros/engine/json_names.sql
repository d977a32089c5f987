{# The names of a JSON object's fields as a list of texts. #}
{% macro json_names(json_text) %} json_keys({{ json_text }}) {% endmacro %}

{# The value of a token `name:value` in a hive-mind header. #}
{% macro header_token(header, name) %}
    {{ first_match(header, "(?:^|\\s)" ~ name ~ ":(\\S+)") }}
{% endmacro %}

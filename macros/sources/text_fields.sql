{# Fields that are all read as text, as name and type. #}
{% macro text_fields(names) %}
    {% set typed = {} %}
    {% for name in names %} {% do typed.update({name: "VARCHAR"}) %} {% endfor %}
    {{ return(typed) }}
{% endmacro %}

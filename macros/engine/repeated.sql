{# What is left of a text after an expression of it, named `name`, was taken a number of times. #}
{% macro repeated(times, name, text, expression) %}
    list_reduce(
        list_prepend({{ text }}, range({{ times }})::varchar[]),
        lambda {{ name }},
        turn:{{ expression }}
    )
{% endmacro %}

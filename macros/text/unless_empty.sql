{# What a strip left; the text that it was given where that is nothing. #}
{% macro unless_empty(stripped, text) %}
    list_transform(
        [{{ stripped }}],
        lambda left_over: case
            when {{ trim_white_space("left_over") }} = '' then {{ text }} else left_over
        end
    )[1]
{% endmacro %}

{# What a strip left; the text that it was given where that is nothing. #}
{% macro unless_empty(stripped, text) %}
    {% set kept -%}
        case
            when {{ trim_white_space("left_over") }} = '' then {{ text }} else left_over
        end
    {%- endset %}
    {{ with_value("left_over", stripped, kept) }}
{% endmacro %}

{# A part, counted from 1, of each text of a list; the texts are split on a character. #}
{% macro part_of_each(texts, separator, part) %}
    list_transform(
        {{ texts }}, lambda noted:split_part(noted, '{{ separator }}', {{ part }})
    )
{%- endmacro %}

{#
    Whether one text is what hive-mind's stop hook keeps of another one: all of it on one line,
    or its beginning with a mark where it was cut.
#}
{% macro is_extract_of(text, whole) %}
    case
        when {{ text }} like '_%…'
        then
            starts_with({{ one_line(whole) }}, left({{ text }}, length({{ text }}) - 1))
        else {{ one_line(whole) }} = {{ text }}
    end
{%- endmacro %}

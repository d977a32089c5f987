{# How many items two sets share; most near-duplicates share all, which is cheap to see. #}
{% macro shared_count(first, second) %}
    case
        when {{ first }} = {{ second }}
        then len({{ first }})
        else len(list_intersect({{ first }}, {{ second }}))
    end
{%- endmacro %}

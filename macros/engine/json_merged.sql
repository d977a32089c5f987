{# Two JSON objects as one, as text; where both have a field, the second one's stands. #}
{% macro json_merged(first, second) %}
    json_merge_patch(coalesce({{ first }}, '{}'), {{ second }})::varchar
{% endmacro %}

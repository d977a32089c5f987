{# A JSON object with the fields of a second one put over its own, as text. #}
{% macro json_merged(json_text, other) %}
    json_merge_patch(coalesce({{ json_text }}, '{}'), {{ other }})::varchar
{% endmacro %}

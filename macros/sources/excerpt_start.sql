{# The number of the line behind which a copied session begins, in a window. #}
{% macro excerpt_start() %}
    min(case when line = '## Conversation Summary' then line_number end) over (
        partition by record_id
    )
{% endmacro %}

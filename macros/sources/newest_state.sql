{# Numbers the landed states of each row of a source's table, the newest first. #}
{% macro newest_state(key, changed_at=none) %}
    row_number() over (
        partition by {{ key }}
        order by
            {% if changed_at %} {{ changed_at }} desc nulls last, {% endif %}
            origin_modified_at desc nulls last,
            record_id
    )
{% endmacro %}

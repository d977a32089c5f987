{#
    One way in which statements begin or end, as rows of `int_statements_moved`. `next` is the
    statement that takes the place of one that ends, by the prefix of its columns.
#}
{% macro statement_move(
    relation,
    is_opening,
    statement="",
    moved_at="moved_at",
    opening="null::varchar",
    change_id="null::varchar",
    next=none
) %}
    select
        {{ statement }}namespace as namespace,
        {{ statement }}project_key as project_key,
        {{ statement }}body_hash as body_hash,
        {{ is_opening }} as is_opening,
        {{ moved_at }} as moved_at,
        {{ opening }} as opening,
        {{ change_id }} as change_id,
        {% for column in ["namespace", "project_key", "body_hash"] %}
            {{ "null::varchar" if next is none else next ~ column }}
            as next_{{ column }}
            {{- "," if not loop.last }}
        {% endfor %}
    from {{ relation }}
{% endmacro %}

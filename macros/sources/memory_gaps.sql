{#
    The statements that one state of a memory file does not share with the other, each with the gap
    that it stands in: its heading and the shared statements on both sides.
#}
{% macro memory_gaps(relation) %}
    select
        next_record_id,
        native_id,
        gap,
        count(*) over (partition by next_record_id, gap) as changed_count
    from
        (
            select
                next_record_id,
                native_id,
                is_kept,
                {{
                    id_from(
                        [
                            "headings",
                            "last_value(case when is_kept then native_id end ignore nulls) over above",
                            "first_value(case when is_kept then native_id end ignore nulls) over below",
                        ]
                    )
                }}
                as gap
            from {{ relation }}
            window
                above as (
                    partition by next_record_id
                    order by block_number
                    rows between unbounded preceding and current row
                ),
                below as (
                    partition by next_record_id
                    order by block_number
                    rows between current row and unbounded following
                )
        ) as spaced
    where not is_kept
{% endmacro %}

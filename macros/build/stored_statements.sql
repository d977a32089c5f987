{# The statements that the policy in force would store, by its distance. #}
{% macro stored_statements(statements) %}
    {% if dedup_policy("distance") == "any" %}
        select min_by(event_id, event_order) as event_id
        from {{ statements }}
        group by statement_key
    {% elif dedup_policy("distance") == "seconds" %}
        -- Less than so many seconds after a stored
        -- row; times are in whole milliseconds.
        with
            timed as (
                select *, epoch_ms(occurred_at) as instant
                from {{ statements }}
                where occurred_at is not null
            ),

            windows as (
                select
                    statement_key,
                    {{
                        window_starts(
                            "list(instant order by instant)",
                            "(" ~ dedup_policy("window_size") ~ " - 0.001)",
                        )
                    }} as starts
                from timed
                group by statement_key
            )

        select min_by(timed.event_id, timed.event_order) as event_id
        from timed
        inner join
            (
                select statement_key, unnest(starts) as instant from windows
            ) as window_starts
            on timed.statement_key = window_starts.statement_key
            and timed.instant = window_starts.instant
        group by timed.statement_key, timed.instant
    {% else %}
        select event_id
        from
            (
                select
                    unnest(list(event_id order by event_order)) as event_id,
                    unnest(
                        {{
                            stored_in_window(
                                "list(statement_key order by event_order)",
                                "list(is_always_stored order by event_order)",
                                dedup_policy("window_size"),
                            )
                        }}
                    ) as is_stored
                from {{ statements }}
                group by namespace
            ) as judged_rows
        where is_stored
    {% endif %}
{% endmacro %}

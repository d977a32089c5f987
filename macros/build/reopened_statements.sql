{#
    The events that open a version of their fact again, since the policy in force stores what they
    say, and when. No row where every statement made again is a sighting.
#}
{% macro reopened_statements(events) %}
    {% if dedup_policy("scope") == "body" and dedup_policy("distance") == "any" %}
        select
            null::varchar as namespace,
            null::varchar as project_key,
            null::varchar as body_hash,
            null::varchar as opening,
            null::timestamp as moved_at
        where false
    {% else %}
        with
            -- One turn that several systems captured is one statement; what copies or
            -- covers another event is none of its own.
            numbered as (
                select
                    *,
                    row_number() over (
                        partition by namespace, project_key, body_hash, capture_id
                        order by event_order
                    ) as sighting_number
                from {{ events }}
                where rule_id is null and cover_rule is null and copy_kind is null
            ),

            -- hive-mind stores a delta or a bundle whatever was there before, and is
            -- going to delete what is deprecated or temporary.
            described as (
                select
                    numbered.*,
                    told.session_id,
                    told.occurred_at,
                    {{ json_string("told.metadata", "$.hook_event") }} as hook_event,
                    coalesce(
                        {{ json_string("told.metadata", "$.frame_type") }}
                        in ('P', 'B'),
                        false
                    ) as is_always_stored,
                    coalesce(
                        {{ json_string("told.metadata", "$.importance") }}
                        in ('deprecated', 'temporary'),
                        false
                    ) as is_dying
                from numbered
                inner join
                    {{ ref("int_events_unioned") }} as told
                    on numbered.event_id = told.event_id
                where numbered.sighting_number = 1
            ),

            -- No other statement meets one that is going to be deleted.
            statements as (
                select
                    *,
                    {{
                        id_from(
                            [
                                "namespace",
                                "project_key",
                                "body_hash",
                                {
                                    "body": "null",
                                    "session and body": "session_id",
                                    "event token and body": "hook_event",
                                }[dedup_policy("scope")],
                                "case when is_dying then event_id end",
                            ]
                        )
                    }} as statement_key
                from described
            ),

            stored as ({{ stored_statements("statements") }}),

            -- A version begins strictly later than all
            -- that was said of its fact before.
            judged as (
                select
                    statements.*,
                    case
                        when
                            stored.event_id is not null
                            and not statements.is_dying
                            and statements.occurred_at
                            > max(statements.occurred_at) over (
                                partition by
                                    statements.namespace,
                                    statements.project_key,
                                    statements.body_hash
                                order by statements.event_order
                                rows between unbounded preceding and 1 preceding
                            )
                        then statements.event_id
                    end as opening_event_id
                from statements
                left join stored on statements.event_id = stored.event_id
            )

        select
            namespace,
            project_key,
            body_hash,
            opening_event_id as opening,
            occurred_at as moved_at
        from judged
        where opening_event_id is not null
    {% endif %}
{% endmacro %}

with
    events as (select * from {{ ref("int_events_unioned") }}),

    pending as (
        select event_id, record_id, role, coalesce(content, '') as content
        from events
        {% if is_incremental() %}
            where
                (event_id, record_id)
                not in (select event_id, record_id from {{ this }})
        {% endif %}
    ),

    climbed as (select * from {{ climbed_ladder("pending", "content") }} as climbed),

    -- What a step took away may have hidden a wrapper from the one before.
    finished as (
        select
            event_id,
            record_id,
            steps,
            body as text_before,
            case
                when len(steps) > 0 and {{ is_climbable("body", "role") }}
                then {{ ladder("body", "role") }}
                else body
            end as body
        from climbed
    ),

    told as (
        select event_id, record_id, {{ noted("nested wrapper") }} as noted_steps, body
        from finished
    )

select
    event_id,
    record_id,
    {{ part_of_each("noted_steps", "|", 1) }} as steps,
    {{ part_of_each("noted_steps", "|", 2) }} as step_lengths,
    body
from told

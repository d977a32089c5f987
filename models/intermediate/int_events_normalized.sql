with
    events as (select * from {{ ref("int_events_unioned") }}),

    -- What a record says can change without it: its subject is erased, the paste
    -- that it names is landed.
    given as (
        select
            event_id,
            record_id,
            role,
            coalesce(content, '') as content,
            {{ quick_hash(["role", "content"]) }} as given_hash
        from events
    ),

    pending as (
        select *
        from given
        {% if is_incremental() %}
            where
                (event_id, record_id, given_hash)
                not in (select event_id, record_id, given_hash from {{ this }})
        {% endif %}
    ),

    climbed as (select * from {{ climbed_ladder("pending", "content") }} as climbed),

    -- What a step took away may have hidden a wrapper from the one before.
    finished as (
        select
            event_id,
            record_id,
            given_hash,
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
        select
            event_id,
            record_id,
            given_hash,
            {{ noted("nested wrapper") }} as noted_steps,
            body
        from finished
    )

select
    event_id,
    record_id,
    given_hash,
    {{ part_of_each("noted_steps", "|", 1) }} as steps,
    {{ part_of_each("noted_steps", "|", 2) }} as step_lengths,
    body
from told

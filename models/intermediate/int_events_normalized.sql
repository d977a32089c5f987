with
    events as (select * from {{ ref("int_events_unioned") }}),

    pending as (
        select event_id, record_id, role, coalesce(content, '') as text_before
        from events
        {% if is_incremental() %}
            where
                (event_id, record_id)
                not in (select event_id, record_id from {{ this }})
        {% endif %}
    ),

    trimmed as (
        select
            event_id,
            record_id,
            role,
            []::varchar[] as steps,
            text_before,
            {{ trim_white_space("text_before") }} as body
        from pending
    ),

    headless as (
        select
            event_id,
            record_id,
            role,
            {{ noted("trim") }} as steps,
            body as text_before,
            {{ strip_headers("body") }} as body
        from trimmed
    ),

    unenveloped as (
        select
            event_id,
            record_id,
            role,
            {{ noted("header") }} as steps,
            body as text_before,
            {{ strip_envelope("body") }} as body
        from headless
    ),

    unblocked as (
        select
            event_id,
            record_id,
            role,
            {{ noted("envelope") }} as steps,
            body as text_before,
            {{ strip_metadata_blocks("body") }} as body
        from unenveloped
    ),

    unnumbered as (
        select
            event_id,
            record_id,
            role,
            {{ noted("metadata block") }} as steps,
            body as text_before,
            {{ strip_message_ids("body") }} as body
        from unblocked
    ),

    forgetful as (
        select
            event_id,
            record_id,
            role,
            {{ noted("message id") }} as steps,
            body as text_before,
            {{ strip_blocks("body") }} as body
        from unnumbered
    ),

    unlisted as (
        select
            event_id,
            record_id,
            role,
            {{ noted("recalled or private block") }} as steps,
            body as text_before,
            {{ strip_recalled_lists("body") }} as body
        from forgetful
    ),

    -- Tags and tokens are the agent's words; a user who writes one speaks of it.
    untagged as (
        select
            event_id,
            record_id,
            role,
            {{ noted("recalled list") }} as steps,
            body as text_before,
            case
                when role = 'user' then body else {{ strip_reply_tags("body") }}
            end as body
        from unlisted
    ),

    loosened as (
        select
            event_id,
            record_id,
            role,
            {{ noted("reply tag") }} as steps,
            body as text_before,
            {{ trim_white_space("body") }} as body
        from untagged
    ),

    voiced as (
        select
            event_id,
            record_id,
            role,
            {{ noted("trim") }} as steps,
            body as text_before,
            case
                when role = 'user' then body else {{ strip_silent_tokens("body") }}
            end as body
        from loosened
    ),

    retrimmed as (
        select
            event_id,
            record_id,
            role,
            {{ noted("silent token") }} as steps,
            body as text_before,
            {{ trim_white_space("body") }} as body
        from voiced
    ),

    peeled as (
        select
            event_id,
            record_id,
            role,
            {{ noted("trim") }} as steps,
            body as text_before,
            {{ strip_nested_prefixes("body") }} as body
        from retrimmed
    ),

    finished as (
        select
            event_id,
            record_id,
            role,
            {{ noted("nested prefix") }} as steps,
            body as text_before,
            {{ trim_white_space("body") }} as body
        from peeled
    ),

    told as (
        select event_id, record_id, {{ noted("trim") }} as noted_steps, body
        from finished
    )

select
    event_id,
    record_id,
    {{ part_of_each("noted_steps", "|", 1) }} as steps,
    {{ part_of_each("noted_steps", "|", 2) }} as step_lengths,
    body
from told

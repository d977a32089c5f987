with
    events as (select * from {{ ref("int_events_unioned") }}),

    places as (select * from {{ ref("int_events_ordered") }}),

    bodies as (select * from {{ ref("int_events_redacted") }}),

    keys as (select * from {{ ref("int_events_keyed") }}),

    hashes as (select * from {{ ref("int_events_hashed") }}),

    described as (
        select
            events.event_id,
            places.event_order,
            events.source_system,
            events.source_entity,
            events.session_id,
            events.parent_native_id,
            events.turn_id,
            events.role,
            events.event_kind,
            events.trigger_kind,
            events.cwd,
            events.occurred_at,
            {{ json_string("events.metadata", "$.copy_kind") }} as copy_kind,
            {{ json_string("events.metadata", "$.erased") }} = 'true' as is_erased,
            keys.namespace,
            keys.known_project_key,
            keys.is_subagent,
            keys.is_interactive,
            hashes.body_hash,
            hashes.body_length,
            bodies.body,
            {{ is_json("bodies.body") }} as is_json,
            {{ is_wrapped("bodies.body") }} as is_wrapped
        from events
        inner join places on events.event_id = places.event_id
        inner join bodies on events.event_id = bodies.event_id
        inner join keys on events.event_id = keys.event_id
        inner join hashes on events.event_id = hashes.event_id
    )

select
    event_id,
    event_order,
    source_system,
    session_id,
    parent_native_id,
    turn_id,
    role,
    event_kind,
    cwd,
    occurred_at,
    copy_kind,
    namespace,
    known_project_key,
    body_hash,
    body_length,
    {{ noise_rule() }} as rule_id,
    event_kind = 'turn'
    and is_interactive
    and not is_subagent
    and body <> ''
    and (role <> 'user' or {{ machine_kind("body") }} is null) as is_turn
from described

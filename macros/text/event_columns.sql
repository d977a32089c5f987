{#
    What both verdicts tell of an event: where it came from, what was done to it, where it belongs.
    Some sources make their ids of names and titles, which hold what people write: the events come
    from `shown_events`.
#}
{% macro event_columns(events, verdicts, bodies) %}
    {{ verdicts }}.namespace,
    {{ verdicts }}.project_key,
    {{ verdicts }}.project_found_by,
    {{ events }}.record_id,
    {{ events }}.source_system,
    {{ events }}.source_entity,
    {{ events }}.shown_native_id as native_id,
    {{ events }}.part,
    {{ events }}.shown_session_id as session_id,
    {{ events }}.shown_session_key as session_key,
    {{ events }}.role,
    {{ events }}.event_kind,
    {{ events }}.occurred_at,
    {{ events }}.landed_at,
    {{ events }}.shown_origin as origin,
    {{ events }}.position,
    {{ events }}.shown_container as container,
    {{ events }}.sighting_count,
    {{ events }}.is_changed,
    {{ events }}.changed_fields,
    {{ verdicts }}.capture_id,
    nullif(
        {{ verdicts }}.root_event_id, {{ verdicts }}.event_id
    ) as covered_by_event_id,
    {{ verdicts }}.body_hash,
    {{ bodies }}.steps,
    {{ bodies }}.step_lengths,
    {{ bodies }}.secret_kinds
{% endmacro %}

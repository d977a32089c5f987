{#
    What both verdicts tell of an event: where it came from, what was done to it, where it belongs.
    Some sources make their ids of names and titles, which hold what people write.
#}
{% macro event_columns(events, verdicts, bodies) %}
    {{ verdicts }}.namespace,
    {{ verdicts }}.project_key,
    {{ verdicts }}.project_found_by,
    {{ events }}.record_id,
    {{ events }}.source_system,
    {{ events }}.source_entity,
    {{ redact_secrets(events ~ ".native_id") }} as native_id,
    {{ events }}.part,
    {{ redact_secrets(events ~ ".session_id") }} as session_id,
    {{ redact_secrets(events ~ ".session_key") }} as session_key,
    {{ events }}.role,
    {{ events }}.event_kind,
    {{ events }}.occurred_at,
    {{ events }}.landed_at,
    {{ redact_secrets(events ~ ".origin") }} as origin,
    {{ events }}.position,
    {{ redact_secrets(events ~ ".container") }} as container,
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

{# The columns that the history of Memory Git is read from, by the entity of their rows. #}
{% macro memory_git_columns(entity) %}
    {% set columns = {
        "changeset": [
            "changeset_id",
            "ref_name",
            "parent_ids",
            "is_legacy_root",
            "author_principal",
            "actor_id",
            "topic_id",
            "message",
            "created_at",
            "is_any_altered",
        ],
        "operation": [
            "changeset_id",
            "ordinal",
            "op_type",
            "target_event_id",
            "resulting_event_id",
            "payload",
        ],
        "ref": ["ref_name", "head_changeset_id"],
        "conflict": [
            "conflict_id",
            "base_changeset_id",
            "left_changeset_id",
            "right_changeset_id",
            "conflict_type",
            "severity",
            "status",
            "summary",
            "created_at",
            "resolved_at",
        ],
        "baseline": ["root_changeset_id", "event_ids"],
        "event": [
            "event_id",
            "event_type",
            "content",
            "tags",
            "confidence",
            "created_at",
        ],
    } %}
    {{ return(columns[entity]) }}
{% endmacro %}

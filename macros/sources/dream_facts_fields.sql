{#
    The columns of the dream fact store that staging reads, as text. The store's description names
    some of them only by what they hold, so that a few stand for one thing: the first that a row
    has is taken.
#}
{% macro dream_facts_fields(name) %}
    {% set fields = {
        "fact": [
            "id",
            "fact_id",
            "fact",
            "fact_text",
            "content",
            "text",
            "statement",
            "fact_type",
            "salience",
            "context_description",
            "reasoning",
            "source_span",
            "grounding_score",
            "confidence",
            "tags",
            "t_valid",
            "valid_from",
            "t_invalid",
            "valid_to",
            "recorded_at",
            "created_at",
            "expired_at",
            "superseded_by",
            "source",
            "source_model_version",
            "dream_run_id",
            "round",
            "session_id",
            "source_session_id",
            "session_key",
            "agent_id",
            "project",
            "project_id",
            "project_key",
            "cwd",
            "git_branch",
        ],
        "correction": [
            "id",
            "correction_id",
            "target_fact_id",
            "fact_id",
            "old_fact_id",
            "original_fact_id",
            "replacement_fact_id",
            "new_fact_id",
            "corrected_fact_id",
            "superseded_by",
            "superseded_by_fact_id",
            "kind",
            "correction_type",
            "correction_kind",
            "decision",
            "action",
            "operation",
            "reason",
            "reasoning",
            "actor",
            "corrected_by",
            "created_by",
            "decided_by",
            "source",
            "decided_at",
            "corrected_at",
            "recorded_at",
            "created_at",
            "dream_run_id",
            "source_model_version",
        ],
    } %}
    {% set typed = {} %}
    {% for field in fields[name] %}
        {% do typed.update({field: "VARCHAR"}) %}
    {% endfor %}
    {{ return(typed) }}
{% endmacro %}

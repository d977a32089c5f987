with
    corrections_landed as (select * from {{ source("dream_facts", "corrections") }}),

    parsed as (
        select
            record_id,
            container,
            origin_modified_at,
            {{
                json_fields(
                    readable_json("payload"), dream_facts_fields("correction")
                )
            }} as correction
        from corrections_landed
    ),

    corrections as (
        select
            container,
            correction,
            {{
                first_field(
                    "correction",
                    ["target_fact_id", "old_fact_id", "original_fact_id", "fact_id"],
                )
            }} as target_fact_id,
            {{
                first_field(
                    "correction",
                    [
                        "replacement_fact_id",
                        "new_fact_id",
                        "corrected_fact_id",
                        "superseded_by_fact_id",
                        "superseded_by",
                    ],
                )
            }} as replacement_fact_id,
            {{
                first_field(
                    "correction",
                    [
                        "kind",
                        "correction_kind",
                        "correction_type",
                        "decision",
                        "action",
                        "operation",
                    ],
                )
            }} as word,
            {{
                first_field(
                    "correction",
                    ["decided_at", "corrected_at", "recorded_at", "created_at"],
                )
            }} as decided,
            {{ newest_state("container") }} as state_number
        from parsed
    )

select
    {{ id_from(["'dream_facts'", "container", "decided", "target_fact_id"]) }}
    as change_id,
    'dream_facts' as source_system,
    target_fact_id as target_native_id,
    replacement_fact_id as replacement_native_id,
    {{ dream_change_kind("word", "replacement_fact_id") }} as kind,
    {{ first_field("correction", ["reason", "reasoning"]) }} as reason,
    {{
        first_field(
            "correction",
            ["actor", "corrected_by", "decided_by", "created_by", "source"],
        )
    }} as actor,
    {{ utc_timestamp("decided") }} as occurred_at,
    {{
        json_object_of(
            {
                "correction_kind": "word",
                "dream_run_id": "correction.dream_run_id",
                "source_model_version": "correction.source_model_version",
            }
        )
    }} as metadata
from corrections
where
    state_number = 1
    and target_fact_id is not null
    and {{ dream_change_kind("word", "replacement_fact_id") }} is not null

with
    facts_landed as (select * from {{ source("dream_facts", "facts") }}),

    parsed as (
        select
            record_id,
            container,
            landed_at,
            {{ json_fields(readable_json("payload"), dream_facts_fields("fact")) }}
            as fact
        from facts_landed
    ),

    facts as (
        select
            record_id,
            landed_at,
            fact,
            coalesce(
                {{ first_field("fact", ["id", "fact_id"]) }},
                {{ first_match("container", "^memory\\.facts/(.+)$") }}
            ) as native_id,
            {{
                first_field(
                    "fact", ["fact", "fact_text", "content", "text", "statement"]
                )
            }} as content,
            {{ first_field("fact", ["source_session_id", "session_id"]) }}
            as session_id,
            nullif(fact.session_key, '') as session_key,
            {{ first_field("fact", ["t_valid", "valid_from"]) }} as t_valid,
            {{ first_field("fact", ["t_invalid", "valid_to"]) }} as t_invalid,
            {{ first_field("fact", ["recorded_at", "created_at"]) }} as recorded_at,
            {{ first_field("fact", ["project_key", "project", "project_id"]) }}
            as project_name
        from parsed
    )

-- Where ids are short numbers, two stores count from one each: the time at which a row
-- was written, which never changes, tells their rows apart.
select
    {{
        event_id(
            "'dream_facts'",
            "native_id",
            "coalesce(recorded_at, session_id)",
            "null::varchar",
            "'0'",
        )
    }} as event_id,
    'dream_facts' as source_system,
    'facts' as source_entity,
    coalesce(native_id, record_id) as native_id,
    '0' as part,
    null::varchar as parent_native_id,
    session_key,
    session_id,
    null::varchar as turn_id,
    nullif(fact.agent_id, '') as agent_id,
    {{ user_id() }} as user_id,
    null::varchar as role,
    'memory' as event_kind,
    {{ trigger_kind("session_key") }} as trigger_kind,
    nullif(fact.cwd, '') as cwd,
    nullif(fact.git_branch, '') as git_branch,
    coalesce(content, '') as content,
    coalesce(
        {{ utc_timestamp("t_valid") }}, {{ utc_timestamp("recorded_at") }}
    ) as occurred_at,
    landed_at,
    record_id,
    {{
        json_object_of(
            {
                "fact_type": "fact.fact_type",
                "salience": "try_cast(fact.salience as bigint)",
                "context_description": "fact.context_description",
                "reasoning": "fact.reasoning",
                "source_span": "fact.source_span",
                "grounding_score": "try_cast(fact.grounding_score as double)",
                "confidence": "try_cast(fact.confidence as double)",
                "tags": "fact.tags",
                "t_valid": "t_valid",
                "t_invalid": "t_invalid",
                "recorded_at": "recorded_at",
                "expired_at": "fact.expired_at",
                "superseded_by": "fact.superseded_by",
                "fact_source": "fact.source",
                "source_model_version": "fact.source_model_version",
                "dream_run_id": "fact.dream_run_id",
                "round": "fact.round",
                "project_name": "project_name",
            }
        )
    }} as metadata
from facts

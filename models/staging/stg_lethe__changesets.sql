with
    rows_landed as (select * from {{ source("lethe", "changesets") }}),

    parsed as (
        select
            record_id,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), lethe_fields("changeset")) }}
            as changeset
        from rows_landed
    ),

    numbered as (
        select
            *,
            {{ newest_state("changeset.changeset_id") }} as state_number,
            {{
                id_from(
                    [
                        "changeset.project_id",
                        "changeset.ref_name",
                        "changeset.parent_ids_json",
                        "changeset.author_principal",
                        "changeset.actor_id",
                        "changeset.topic_id",
                        "changeset.message",
                        "changeset.idempotency_key",
                    ]
                )
            }} as content_id
        from parsed
    ),

    -- The digests may be made anew by another version of Lethe, the rest never.
    compared as (
        select
            *,
            min(content_id) over (partition by changeset.changeset_id)
            <> max(content_id) over (partition by changeset.changeset_id) as is_altered
        from numbered
    )

select
    changeset.changeset_id as changeset_id,
    changeset.schema_version as schema_version,
    changeset.project_id as project_id,
    changeset.ref_name as ref_name,
    {{ json_texts(readable_json("changeset.parent_ids_json")) }} as parent_ids,
    coalesce(changeset.idempotency_key = 'legacy-root', false) as is_legacy_root,
    changeset.author_principal as author_principal,
    changeset.persona_id as persona_id,
    changeset.actor_id as actor_id,
    changeset.surface as surface,
    changeset.model as model,
    changeset.environment as environment,
    nullif(changeset.session_id, '') as session_id,
    changeset.topic_id as topic_id,
    changeset.context_manifest_id as context_manifest_id,
    changeset.message as message,
    changeset.idempotency_key as idempotency_key,
    {{ readable_json("changeset.evidence_json") }} as evidence,
    {{ readable_json("changeset.verification_json") }} as verification,
    changeset.integrity_digest as integrity_digest,
    changeset.request_digest as request_digest,
    {{ lethe_time("changeset.created_at") }} as created_at,
    is_altered,
    record_id
from compared
where state_number = 1

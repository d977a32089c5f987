with
    projected as (select * from {{ ref("int_histories_projected") }}),

    told as ({{ memory_git_items("projected", "records", "record") }}),

    records as (select project_name, record.* from told),

    named as ({{ names_in("records", memory_git_names()) }}),

    names as ({{ redacted_names("named") }}),

    shown as (select * from {{ with_shown("records", "names", memory_git_names()) }})

select
    {{
        id_from(
            [
                "project_name",
                "entity",
                "changeset_id",
                "ordinal",
                "ref_name",
                "conflict_id",
                "event_id",
            ]
        )
    }} as memory_record_id,
    project_name,
    entity,
    changeset_id,
    ordinal,
    parent_ids,
    coalesce(is_legacy_root, false) as is_legacy_root,
    coalesce(is_altered, false) as is_altered,
    shown_ref_name as ref_name,
    op_type,
    shown_target_id as target_id,
    shown_result_id as result_id,
    shown_memory_id as memory_id,
    shown_event_id as event_id,
    shown_duplicate_id as duplicate_id,
    shown_original_id as original_id,
    shown_from_memory_id as from_memory_id,
    shown_to_memory_id as to_memory_id,
    shown_content as content,
    shown_memory_kind as memory_kind,
    shown_event_type as event_type,
    shown_scope as scope,
    shown_visibility as visibility,
    shown_tags_text as tags_text,
    confidence,
    conflict_id,
    left_changeset_id,
    right_changeset_id,
    status,
    created_at
from shown

-- The verbatim items that frames were made from. The same
-- statement in a frame is the same memory by its body.
with
    landed as (select * from {{ source("hive_mind", "raw_archive") }}),

    erasures as (select * from {{ ref("stg_hive_mind__erasures") }}),

    parsed as (
        select
            record_id,
            landed_at,
            {{ json_fields(readable_json("payload"), hive_mind_archive_fields()) }}
            as item
        from landed
    ),

    items as (
        select
            parsed.record_id,
            parsed.landed_at,
            parsed.item,
            {{ native_id("parsed.item.archive_uid") }} as native_id,
            concat_ws('/', parsed.item.source, parsed.item.source_ref) as session_id,
            null::varchar as role,
            erasures.source_ref is not null
            or parsed.item.erased_at is not null as is_erased
        from parsed
        left join
            erasures
            on parsed.item.source = erasures.source_name
            and parsed.item.source_ref = erasures.source_ref
    )

select
    {{ event_id("'hive_mind'", "native_id", part="'0'") }} as event_id,
    'hive_mind' as source_system,
    'raw_archive' as source_entity,
    coalesce(native_id, record_id) as native_id,
    '0' as part,
    null::varchar as parent_native_id,
    null::varchar as session_key,
    session_id,
    null::varchar as turn_id,
    null::varchar as agent_id,
    {{ user_id() }} as user_id,
    role,
    'memory' as event_kind,
    null::varchar as trigger_kind,
    null::varchar as cwd,
    null::varchar as git_branch,
    case when is_erased then null else item.content end as content,
    coalesce(
        {{ utc_timestamp("item.source_timestamp") }},
        {{ utc_timestamp("item.created_at") }}
    ) as occurred_at,
    landed_at,
    record_id,
    {{
        json_object_of(
            {
                "captured_by": "item.source",
                "source_ref": "item.source_ref",
                "title": "case when not is_erased then item.title end",
                "injection_flagged": "item.injection_flagged",
                "erased": "case when is_erased then true end",
            }
        )
    }} as metadata
from items

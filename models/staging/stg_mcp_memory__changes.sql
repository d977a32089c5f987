with
    files as (select * from {{ source("mcp_memory", "files") }}),

    memories as (select * from {{ ref("stg_mcp_memory__memories") }}),

    read_files as (
        select
            record_id,
            container,
            origin_modified_at,
            {{ json_fields(readable_json("payload"), {"lines": ["VARCHAR"]}) }} as file
        from files
    ),

    versions as (
        select
            record_id,
            container,
            origin_modified_at,
            file.lines as line_hashes,
            row_number() over (
                partition by container order by origin_modified_at, record_id
            ) as version
        from read_files
    ),

    lines as (
        select *
        from {{ each_item("versions", "line_hashes", "line_hash", "line_number") }}
    ),

    held as (
        select
            lines.container,
            lines.version,
            lines.origin_modified_at as version_at,
            lines.record_id as version_record_id,
            coalesce(memories.entity_name, '') as subject,
            lines.line_number * 1000000 + memories.item_number as number,
            memories.native_id
        from lines
        inner join
            memories
            on lines.container = memories.container
            and lines.line_hash = memories.line_hash
    ),

    changes as ({{ roster_changes("held") }})

select
    {{ id_from(["'mcp_memory'", "native_id", "kind", "version_record_id"]) }}
    as change_id,
    'mcp_memory' as source_system,
    native_id as target_native_id,
    replacement_native_id,
    kind,
    case
        kind
        when 'supersede'
        then 'another observation stands in its place'
        when 'reopen'
        then 'it is in the file again'
        else 'it is gone from the file'
    end as reason,
    null::varchar as actor,
    version_at as occurred_at,
    {{ json_object_of({"file": "container"}) }} as metadata
from changes

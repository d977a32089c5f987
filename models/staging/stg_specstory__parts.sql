with
    sections as (select * from {{ source("specstory", "sections") }}),

    read_sections as (
        select
            record_id,
            landed_at,
            {{ history_folder("origin", "/\\.specstory/.*$") }} as cwd,
            {{ readable_json("payload") }} as section_json
        from sections
    ),

    parsed as (
        select
            record_id,
            landed_at,
            cwd,
            {{ json_fields("section_json", specstory_fields()) }} as section
        from read_sections
    ),

    marked as (
        select
            record_id,
            landed_at,
            cwd,
            section.folder as folder,
            section.tool as tool,
            section.session as session_id,
            section.started as started,
            section.number as number,
            {{ first_match("section.text", "^_\\*\\*([^*\\n]*)\\*\\*_") }} as marker,
            regexp_replace(section.text, '^[^\n]*', '') as body
        from parsed
    ),

    -- A marker says who, and mostly by which model and when.
    headed as (
        select
            *,
            {{ first_match("marker", "\\(([^()]*)\\)$") }} as details,
            {{
                first_match(
                    "marker", "([0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:.]{8,}Z?)\\)$"
                )
            }} as said_at
        from marked
    ),

    cut as (
        select
            *,
            {{ split_on("body", specstory_block_pattern()) }} as texts,
            {{ all_matches("body", specstory_block_pattern()) }} as blocks
        from headed
    ),

    pieces as (
        select *, piece_number * 2 - 1 as part_number, false as is_block
        from {{ each_item("cut", "texts", "piece", "piece_number") }}
        union all
        select *, piece_number * 2 as part_number, true as is_block
        from {{ each_item("cut", "blocks", "piece", "piece_number") }}
    ),

    -- A rule closes what a person said.
    trimmed as (
        select
            *,
            {{ trim_white_space("regexp_replace(piece, '(?:^|\\n)\\s*---\\s*$', '')") }}
            as content
        from pieces
    )

select
    record_id,
    landed_at,
    session_id,
    cwd,
    folder,
    tool,
    part_number,
    content,
    coalesce(contains(marker, 'sidechain'), false) as is_sidechain,
    nullif(trim(replace(details, coalesce(said_at, ''), '')), '') as model,
    said_at is null as is_untimed,
    {{ utc_timestamp("coalesce(said_at, started)") }} as occurred_at,
    case
        when is_block and starts_with(content, '<think>')
        then 'reasoning'
        when starts_with(marker, 'User')
        then 'user'
        else 'assistant'
    end as role,
    (is_block and not starts_with(content, '<think>'))
    or starts_with(content, 'Tool use: **') as is_tool,
    concat_ws(
        '/', session_id, said_at, number, left({{ sha256_hex("content") }}, 16)
    ) as native_id
from trimmed
where content <> ''

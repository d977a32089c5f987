with
    blocks as (select * from {{ source("letta", "blocks") }}),

    read_blocks as (
        select record_id, landed_at, {{ readable_json("payload") }} as block_json
        from blocks
    ),

    parsed as (
        select
            record_id,
            landed_at,
            {{ json_fields("block_json", letta_fields()) }} as entry
        from read_blocks
    ),

    -- A line is less than a statement where a text
    -- is wrapped, a block is more than one.
    split as (
        select *, {{ split_on("entry.block.value", "\\n[ \\t\\r]*\\n\\s*") }} as texts
        from parsed
    ),

    paragraphs as (
        select *
        from {{ each_item("split", "texts", "content", "paragraph_number") }}
        where regexp_matches(content, '\S')
    )

select
    record_id,
    any_value(landed_at) as landed_at,
    any_value(entry.agent.key) as agent_key,
    any_value(entry.agent.name) as agent_name,
    any_value(entry.block.label) as label,
    content,
    any_value(
        {{ utc_timestamp("coalesce(entry.block.updated_at, entry.block.created_at)") }}
    ) as occurred_at,
    any_value(
        concat_ws(
            '/',
            entry.agent.key,
            'block',
            entry.block.label,
            left({{ sha256_hex("content") }}, 16)
        )
    ) as native_id
from paragraphs
group by record_id, content

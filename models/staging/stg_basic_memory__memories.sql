with
    notes as (select * from {{ ref("stg_basic_memory__notes") }}),

    itemised as (
        select
            *,
            {{ joined_lists([json_items("observations"), json_items("relations")]) }}
            as items
        from notes
    ),

    items as (
        select *, {{ json_fields("item", basic_memory_item_fields()) }} as said
        from {{ each_item("itemised", "items", "item", "item_number") }}
    ),

    texts as (
        select
            record_id,
            landed_at,
            note_key,
            state,
            updated_at,
            item_number,
            case
                when said.relation_type is null then 'observation' else 'relation'
            end as memory_kind,
            coalesce(said.category, said.relation_type) as category,
            said.context as context,
            nullif(said.tags, '[]') as tags,
            case
                when said.relation_type is null
                then said.content
                else concat_ws(' ', title, said.relation_type, said.to_name)
            end as memory_text
        from items
    )

select
    record_id,
    landed_at,
    note_key,
    state,
    updated_at,
    item_number,
    memory_kind,
    category,
    context,
    tags,
    memory_text as content,
    concat_ws(
        '/', note_key, memory_kind, category, left({{ sha256_hex("memory_text") }}, 16)
    ) as native_id
from texts
where memory_text is not null

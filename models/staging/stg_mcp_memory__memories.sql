with
    entries as (select * from {{ source("mcp_memory", "entries") }}),

    read_lines as (
        select
            record_id,
            container,
            landed_at,
            {{ sha256_hex("payload") }} as line_hash,
            {{ readable_json("payload") }} as line
        from entries
    ),

    parsed as (
        select
            record_id,
            container,
            landed_at,
            line_hash,
            {{ json_fields("line", mcp_memory_fields()) }} as entry
        from read_lines
    ),

    named as (
        select
            *,
            coalesce(entry.name, entry.entityname) as entity_name,
            entry.entitytype as entity_type,
            entry.relationtype as relation_type,
            case
                when entry.relationtype is not null
                then 'relation'
                when entry.observation is not null
                then 'observation'
                when json_array_length(entry.observations) > 0
                then 'observation'
                else 'entity'
            end as memory_kind,
            coalesce(entry.updatedat, entry.createdat) as said_at
        from parsed
    ),

    itemised as (
        select
            *,
            case
                memory_kind
                when 'relation'
                then
                    [to_json(concat_ws(' ', entry['from'], relation_type, entry['to']))]
                when 'entity'
                then [to_json(entity_name)]
                else
                    case
                        when entry.observation is not null
                        then [to_json(entry.observation)]
                        else {{ json_items("entry.observations") }}
                    end
            end as items
        from named
    ),

    texts as (
        select
            *,
            case
                when json_type(item) = 'OBJECT'
                then
                    coalesce(
                        {{ json_string("item", "$.content") }},
                        {{ json_string("item", "$.text") }},
                        item::varchar
                    )
                else {{ json_string("item", "$") }}
            end as content
        from {{ each_item("itemised", "items", "item", "item_number") }}
    )

select
    record_id,
    container,
    landed_at,
    line_hash,
    entity_name,
    entity_type,
    relation_type,
    memory_kind,
    content,
    item_number,
    concat_ws(
        '/', container, memory_kind, entity_name, left({{ sha256_hex("content") }}, 16)
    ) as native_id,
    {{ utc_timestamp("said_at") }} as occurred_at
from texts
where content is not null

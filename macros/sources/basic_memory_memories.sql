{#
    A select of what states of basic-memory notes hold: one row per observation or relation, in the
    order of the note, with an id of note, kind, category and the hash of its text, since the tool
    numbers its rows anew.
#}
{% macro basic_memory_memories(notes) %}
    with
        itemised as (
            select
                *,
                {{
                    joined_lists(
                        [json_items("observations"), json_items("relations")]
                    )
                }} as items
            from {{ notes }}
        ),

        items as (
            select *, {{ json_fields("item", basic_memory_item_fields()) }} as said
            from {{ each_item("itemised", "items", "item", "item_number") }}
        ),

        texts as (
            select
                record_id,
                note_key,
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
                end as content
            from items
        )

    select
        *,
        concat_ws(
            '/', note_key, memory_kind, category, left({{ sha256_hex("content") }}, 16)
        ) as native_id
    from texts
    where content is not null
{% endmacro %}

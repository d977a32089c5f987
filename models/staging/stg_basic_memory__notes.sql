with
    notes as (select * from {{ source("basic_memory", "notes") }}),

    read_notes as (
        select
            record_id,
            origin_modified_at,
            landed_at,
            {{ readable_json("payload") }} as note_json
        from notes
    ),

    parsed as (
        select
            record_id,
            origin_modified_at,
            landed_at,
            {{ json_fields("note_json", basic_memory_fields()) }} as note
        from read_notes
    ),

    named as (
        select
            record_id,
            landed_at,
            note.project[1].name as project_name,
            note.project[1].path as project_path,
            note.external_id as external_id,
            note.permalink as permalink,
            note.file_path as file_path,
            note.title as title,
            coalesce(note.note_type, note.entity_type) as note_type,
            note.note_content[1].markdown_content as content,
            note.observation::varchar as observations,
            note.relation::varchar as relations,
            coalesce(
                {{ utc_timestamp("note.updated_at") }}, origin_modified_at
            ) as updated_at
        from parsed
        where note.file_path is not null
    ),

    -- A move can change the permalink, and a sync that took it for a deletion the
    -- external id; what stays the same of the two leads to the first permalink.
    traced as (
        select
            *,
            coalesce(
                case
                    when external_id is not null
                    then
                        first_value(permalink ignore nulls) over (
                            partition by project_name, external_id
                            order by updated_at, record_id
                            rows between unbounded preceding and unbounded following
                        )
                end,
                permalink,
                external_id,
                file_path
            ) as traced_key
        from named
    ),

    keyed as (
        select
            *,
            concat_ws(
                '/',
                project_name,
                first_value(traced_key) over (
                    partition by project_name, coalesce(permalink, traced_key)
                    order by updated_at, record_id
                )
            ) as note_key
        from traced
    )

select
    record_id,
    landed_at,
    project_name,
    project_path,
    external_id,
    permalink,
    file_path,
    title,
    note_type,
    content,
    observations,
    relations,
    updated_at,
    note_key,
    row_number() over (partition by note_key order by updated_at, record_id) as state
from keyed

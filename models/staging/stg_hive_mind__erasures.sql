-- Subjects that a mind erased: its list of them, and the archived
-- items that it blanked. What was landed of a list stays, so that a
-- subject stays erased whatever copy comes later.
with
    subjects as (select * from {{ source("hive_mind", "erased_subjects") }}),

    archive as (select * from {{ source("hive_mind", "raw_archive") }}),

    listed as (
        select
            {{
                json_fields(
                    readable_json("payload"),
                    {
                        "source": "VARCHAR",
                        "source_ref": "VARCHAR",
                        "erased_at": "VARCHAR",
                        "reason": "VARCHAR",
                    },
                )
            }} as subject
        from subjects
    ),

    blanked as (
        select
            {{ json_fields(readable_json("payload"), hive_mind_archive_fields()) }}
            as item
        from archive
    ),

    erased as (
        select
            subject.source as source_name,
            subject.source_ref as source_ref,
            subject.reason as reason,
            {{ utc_timestamp("subject.erased_at") }} as erased_at
        from listed
        union all
        select
            item.source,
            item.source_ref,
            item.erased_reason,
            {{ utc_timestamp("item.erased_at") }}
        from blanked
        where item.erased_at is not null
    ),

    grouped as (
        select
            source_name,
            source_ref,
            min(reason) as reason,
            min(erased_at) as erased_at,
            regexp_replace(
                regexp_replace(
                    source_name || '-' || source_ref, '[^A-Za-z0-9_-]+', '-', 'g'
                ),
                '^-+|-+$',
                '',
                'g'
            ) as conversation_key
        from erased
        where source_name is not null and source_ref is not null
        group by source_name, source_ref
    )

select
    source_name,
    source_ref,
    reason,
    erased_at,
    left(conversation_key, 64) as conversation
from grouped

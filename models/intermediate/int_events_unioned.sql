with
    claude_code_events as (select * from {{ ref("stg_claude_code__events") }}),

    openclaw_events as (select * from {{ ref("stg_openclaw__events") }}),

    hive_mind_events as (select * from {{ ref("stg_hive_mind__events") }}),

    hive_mind_items as (select * from {{ ref("stg_hive_mind__archived_items") }}),

    records as (select * from {{ ref("stg_tamis__records") }}),

    sightings as (
        select *
        from claude_code_events
        union all
        select *
        from openclaw_events
        union all
        select *
        from hive_mind_events
        union all
        select *
        from hive_mind_items
    ),

    located as (
        select
            sightings.event_id,
            sightings.record_id,
            sightings.source_system,
            sightings.part,
            sightings.occurred_at,
            hash(coalesce(sightings.content, '')) as content_hash,
            records.container,
            records.origin,
            records.position,
            coalesce(records.origin_modified_at, '1970-01-01'::timestamp) as modified_at
        from sightings
        left join records on sightings.record_id = records.record_id
    ),

    -- The newest payload wins by what the file system said, never by when it was
    -- landed.
    newest as (
        select
            event_id,
            max_by(located, (modified_at, container, position, record_id)) as sighting,
            count(*) as sighting_count,
            count(distinct content_hash) > 1 as is_changed
        from located
        group by event_id
    ),

    ordered as (
        select
            event_id,
            sighting.record_id as record_id,
            sighting.container as container,
            sighting.origin as origin,
            sighting.position as position,
            sighting_count,
            is_changed,
            row_number() over (
                order by
                    sighting.occurred_at nulls last,
                    sighting.source_system,
                    sighting.container,
                    sighting.position,
                    try_cast(split_part(sighting.part, '.', 1) as bigint),
                    try_cast(split_part(sighting.part, '.', 2) as bigint) nulls first,
                    event_id
            ) as event_order
        from newest
    )

select
    sightings.*,
    ordered.container,
    ordered.origin,
    ordered.position,
    ordered.sighting_count,
    ordered.is_changed,
    ordered.event_order
from ordered
inner join
    sightings
    on ordered.event_id = sightings.event_id
    and ordered.record_id = sightings.record_id

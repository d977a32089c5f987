with
    records as (select * from {{ ref("stg_tamis__records") }}),

    sightings as (select * from {{ ref("int_sightings_unioned") }}),

    located as (
        select
            sightings.event_id,
            sightings.record_id,
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

    chosen as (
        select
            event_id,
            sighting.record_id as record_id,
            sighting.container as container,
            sighting.origin as origin,
            sighting.position as position,
            sighting_count,
            is_changed
        from newest
    )

select
    sightings.*,
    chosen.container,
    chosen.origin,
    chosen.position,
    chosen.sighting_count,
    chosen.is_changed
from chosen
inner join
    sightings
    on chosen.event_id = sightings.event_id
    and chosen.record_id = sightings.record_id

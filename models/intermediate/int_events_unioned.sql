with
    records as (select * from {{ ref("stg_tamis__records") }}),

    sightings as (select * from {{ ref("stg_tamis__sightings") }}),

    located as (
        select
            sightings.event_id,
            sightings.record_id,
            hash(coalesce(sightings.content, '')) as content_hash,
            hash(
                {{ sighting_fields("sightings").values() | join(", ") }},
                sightings.metadata
            ) as state_hash,
            {{ json_string("sightings.metadata", "$.is_subagent") }}
            = 'true' as is_subagent,
            records.container,
            records.origin,
            records.position,
            coalesce(records.origin_modified_at, '1970-01-01'::timestamp) as modified_at
        from sightings
        left join records on sightings.record_id = records.record_id
    ),

    -- The newest payload wins by what the file system said, never by when it was
    -- landed; but what a subagent was handed of its parent's is the parent's.
    newest as (
        select
            event_id,
            max_by(
                located,
                (
                    not coalesce(is_subagent, false),
                    modified_at,
                    container,
                    position,
                    record_id
                )
            ) as sighting,
            count(*) as sighting_count,
            min(content_hash) <> max(content_hash) as is_changed,
            min(state_hash) <> max(state_hash) as is_restated
        from located
        group by event_id
    ),

    restated as (
        select
            newest.event_id,
            newest.sighting_count,
            {{
                json_merged(
                    "sightings.metadata", json_object_of(sighting_fields("sightings"))
                )
            }} as state
        from newest
        inner join sightings on newest.event_id = sightings.event_id
        where newest.is_restated
    ),

    named as (
        select event_id, sighting_count, state, field
        from {{ each_item("restated", json_names("state"), "field", "field_number") }}
    ),

    differing as (
        select event_id, field
        from named
        group by event_id, sighting_count, field
        having
            count(distinct {{ json_value("state", "field") }}) > 1
            or count(*) < sighting_count
    ),

    changes as (
        select event_id, list(field order by field) as changed_fields
        from differing
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
    chosen.is_changed,
    coalesce(changes.changed_fields, []) as changed_fields
from chosen
inner join
    sightings
    on chosen.event_id = sightings.event_id
    and chosen.record_id = sightings.record_id
left join changes on chosen.event_id = changes.event_id

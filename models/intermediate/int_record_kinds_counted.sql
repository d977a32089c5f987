with
    records as (select * from {{ ref("stg_tamis__records") }}),

    record_kinds as (select * from {{ ref("record_kinds") }}),

    counted as (
        select source_entity, record_kind, count(*) as record_count
        from records
        group by source_entity, record_kind
    )

select
    {{ id_from(["counted.source_entity", "counted.record_kind"]) }} as kind_id,
    counted.source_entity,
    counted.record_kind,
    counted.record_count,
    record_kinds.record_kind is not null as is_known,
    coalesce(record_kinds.holds_events, false) as has_events
from counted
left join
    record_kinds
    on counted.source_entity = record_kinds.source_entity
    and counted.record_kind = record_kinds.record_kind

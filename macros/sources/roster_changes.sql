{#
    What the versions of a store tell of its memories: a select of container, native_id,
    replacement_native_id, kind, version_at and version_record_id. `held` names a relation of
    container, version (1, 2, …), version_at, version_record_id, subject, number and native_id: what
    each version held, in the order of its subject. A memory that is gone from the next version is
    retired; where another stands at its place, between the same neighbours, it is superseded; one
    that is there again is reopened. Versions of one instant have no order and tell nothing.
#}
{% macro roster_changes(held) %}
    with
        placed as (
            select
                container,
                version,
                version_at,
                version_record_id,
                subject,
                native_id,
                min(number) as number
            from {{ held }}
            group by all
        ),

        neighboured as (
            select
                *,
                max(version) over (partition by container) as last_version,
                row_number() over subject_order as place,
                coalesce(lag(native_id) over subject_order, '') as native_id_before,
                coalesce(lead(native_id) over subject_order, '') as native_id_after,
                lag(version) over memory_order as version_before,
                lead(version) over memory_order as version_after
            from placed
            window
                subject_order as (
                    partition by container, version, subject order by number, native_id
                ),
                memory_order as (partition by container, native_id order by version)
        ),

        versions as (
            select
                container,
                version,
                any_value(version_at) as version_at,
                any_value(version_record_id) as version_record_id
            from {{ held }}
            group by container, version
        ),

        ended as (
            select *, version + 1 as next_version
            from neighboured
            where
                version < last_version
                and (version_after is null or version_after > version + 1)
        ),

        begun as (
            select *
            from neighboured
            where
                version > 1 and (version_before is null or version_before < version - 1)
        ),

        changed as (
            select
                ended.container,
                ended.native_id,
                begun.native_id as replacement_native_id,
                case
                    when begun.native_id is null then 'retire' else 'supersede'
                end as kind,
                ended.next_version as version
            from ended
            left join
                begun
                on ended.container = begun.container
                and ended.subject = begun.subject
                and ended.next_version = begun.version
                and ended.place = begun.place
                and ended.native_id_before = begun.native_id_before
                and ended.native_id_after = begun.native_id_after
            union all
            select container, native_id, null, 'reopen', version
            from begun
            where version_before is not null
        )

    select
        changed.container,
        changed.native_id,
        changed.replacement_native_id,
        changed.kind,
        versions.version_at,
        versions.version_record_id
    from changed
    inner join
        versions
        on changed.container = versions.container
        and changed.version = versions.version
    inner join
        versions as before
        on changed.container = before.container
        and changed.version = before.version + 1
    where before.version_at < versions.version_at
{% endmacro %}

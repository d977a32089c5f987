{#
    What was taken back between two states of a memory file. A statement that is gone is retired;
    where one went and one came at the same place, under the same heading and between the same
    neighbours, the new one supersedes it. Likeness is never asked for. `statements` has the columns
    of `memory_statements` and a native_id.
#}
{% macro memory_changes(source_system, statements) %}
    with
        states as (
            select
                record_id,
                container,
                owner,
                file_name,
                origin_modified_at,
                md5(string_agg(native_id, ',' order by block_number)) as state_hash
            from {{ statements }}
            group by all
        ),

        firsts as (
            select
                container,
                owner,
                file_name,
                min_by(state_hash, (origin_modified_at, record_id)) as state_hash
            from states
            group by container, owner, file_name
        ),

        -- A file that begins as another one of its memory stood was moved from there.
        moves as (
            select
                firsts.container,
                min_by(
                    states.container, (states.origin_modified_at, states.record_id)
                ) as first_container
            from firsts
            inner join
                states
                on firsts.owner = states.owner
                and firsts.file_name = states.file_name
                and firsts.state_hash = states.state_hash
            group by firsts.container
        ),

        followed as (
            select
                states.record_id,
                states.container,
                states.origin_modified_at,
                lead(states.record_id) over file as next_record_id,
                lead(states.origin_modified_at) over file as next_modified_at
            from states
            inner join moves on states.container = moves.container
            window
                file as (
                    partition by moves.first_container
                    order by states.origin_modified_at, states.record_id
                )
        ),

        pairs as (
            select
                followed.*,
                {{ statements }}.native_id,
                {{ statements }}.owner,
                {{ statements }}.statement,
                {{ statements }}.headings,
                {{ statements }}.block_number
            from followed
            inner join
                {{ statements }} on followed.record_id = {{ statements }}.record_id
        ),

        olds as (
            select pairs.*, kept.native_id is not null as is_kept
            from pairs
            left join
                {{ statements }} as kept
                on pairs.next_record_id = kept.record_id
                and pairs.native_id = kept.native_id
            where pairs.next_record_id is not null
        ),

        news as (
            select
                followed.next_record_id,
                {{ statements }}.native_id,
                {{ statements }}.headings,
                {{ statements }}.block_number,
                olds.native_id is not null as is_kept
            from followed
            inner join
                {{ statements }} on followed.next_record_id = {{ statements }}.record_id
            left join
                olds
                on followed.next_record_id = olds.next_record_id
                and {{ statements }}.native_id = olds.native_id
        ),

        gaps_before as ({{ memory_gaps("olds") }}),

        gaps_after as ({{ memory_gaps("news") }}),

        gone as (
            select
                olds.container,
                olds.owner,
                olds.statement,
                olds.native_id,
                olds.next_record_id,
                olds.next_modified_at,
                gaps_after.native_id as replacement_native_id
            from olds
            left join
                gaps_before
                on olds.next_record_id = gaps_before.next_record_id
                and olds.native_id = gaps_before.native_id
                and gaps_before.changed_count = 1
            left join
                gaps_after
                on gaps_before.next_record_id = gaps_after.next_record_id
                and gaps_before.gap = gaps_after.gap
                and gaps_after.changed_count = 1
            where not olds.is_kept
        ),

        -- What went to another file of the memory is still remembered.
        standing as (
            select distinct pairs.owner, pairs.statement
            from pairs
            where pairs.next_record_id is null
        ),

        changes as (
            select gone.*
            from gone
            left join
                standing
                on gone.owner = standing.owner
                and gone.statement = standing.statement
            where standing.statement is null
        )

    select
        {{ id_from(["'" ~ source_system ~ "'", "native_id", "next_record_id"]) }}
        as change_id,
        '{{ source_system }}' as source_system,
        native_id as target_native_id,
        replacement_native_id,
        case
            when replacement_native_id is null then 'retire' else 'supersede'
        end as kind,
        case
            when replacement_native_id is null
            then 'gone from ' || container
            else 'rewritten in ' || container
        end as reason,
        null::varchar as actor,
        next_modified_at as occurred_at,
        {{ json_object_of({"path": "container"}) }} as metadata
    from changes
{% endmacro %}

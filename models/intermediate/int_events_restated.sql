with recursive
    events as (select * from {{ ref("int_events_classified") }} where rule_id is null),

    bodies as (select * from {{ ref("int_events_normalized") }}),

    rules as (
        select * from {{ ref("grouping_rules") }} where least_similarity is not null
    ),

    matched as (
        select
            events.event_id,
            events.namespace,
            events.known_project_key,
            events.event_order,
            events.body_hash,
            bodies.body,
            {{ grouping_rule() }} as grouping_rule_id
        from events
        inner join bodies on events.event_id = bodies.event_id
        where events.event_kind in (select event_kind from rules)
    ),

    ruled as (
        select matched.*, rules.least_similarity
        from matched
        inner join rules on matched.grouping_rule_id = rules.rule_id
    ),

    texts as (
        select
            event_id as text_id,
            dense_rank() over (
                order by grouping_rule_id, namespace, known_project_key
            ) as scope,
            body as text,
            {{ without_guarded(without_manner()) }} as frame
        from ruled
    ),

    pairs as ({{ near_duplicate_pairs("texts", band_size=1) }}),

    both_ways as (
        select text_id, other_text_id, similarity_score
        from pairs
        where {{ item_count("guards") }} = 0
        union all
        select other_text_id as text_id, text_id as other_text_id, similarity_score
        from pairs
        where {{ item_count("guards") }} = 0
    ),

    links as (
        select one.event_order, other.event_order as other_event_order
        from both_ways
        inner join ruled as one on both_ways.text_id = one.event_id
        inner join ruled as other on both_ways.other_text_id = other.event_id
        where both_ways.similarity_score >= one.least_similarity
    ),

    -- The earliest that an event leads to, through others that restate the same.
    reached as (
        select event_order, event_order as first_event_order
        from ruled
        union
        select links.other_event_order, min(reached.first_event_order)
        from reached
        inner join links on reached.event_order = links.event_order
        where reached.first_event_order < links.other_event_order
        group by links.other_event_order
    ),

    firsts as (
        select event_order, min(first_event_order) as first_event_order
        from reached
        group by event_order
    )

-- The same words again are a repeat, which restates nothing.
select
    ruled.event_id,
    ruled.grouping_rule_id,
    case
        when ruled.body_hash = originals.body_hash
        then ruled.event_id
        else originals.event_id
    end as restated_event_id
from ruled
inner join firsts on ruled.event_order = firsts.event_order
inner join ruled as originals on firsts.first_event_order = originals.event_order

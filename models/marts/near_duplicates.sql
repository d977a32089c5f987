with
    facts as (select * from {{ ref("facts") }} where is_current),

    texts as (
        select
            fact_id as text_id,
            dense_rank() over (order by namespace, project_key) as scope,
            text,
            {{ without_guarded("text") }} as frame
        from facts
    ),

    pairs as ({{ near_duplicate_pairs("texts") }}),

    alike as (select * from pairs where similarity_score >= {{ least_similarity() }}),

    both_ways as (
        select text_id, other_text_id, similarity_score, guards
        from alike
        union all
        select
            other_text_id as text_id, text_id as other_text_id, similarity_score, guards
        from alike
    ),

    placed as (
        select *, row_number() over (order by t_valid nulls last, fact_id) as place
        from facts
    ),

    near_duplicates as (
        select
            {{ id_from(["earlier.fact_id", "later.fact_id"]) }} as pair_id,
            earlier.fact_id,
            later.fact_id as other_fact_id,
            earlier.namespace,
            earlier.project_key,
            both_ways.similarity_score,
            both_ways.guards,
            {{ item_count("both_ways.guards") }} > 0 as is_guarded,
            earlier.text,
            later.text as other_text,
            earlier.t_valid,
            later.t_valid as other_t_valid
        from both_ways
        inner join placed as earlier on both_ways.text_id = earlier.fact_id
        inner join placed as later on both_ways.other_text_id = later.fact_id
        where earlier.place < later.place
    )

select *
from near_duplicates

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

    placed as (
        select
            fact_id, row_number() over (order by t_valid nulls last, fact_id) as place
        from facts
    ),

    -- Places are numbers: the texts are fetched when it is known which one is earlier.
    directed as (
        select
            case
                when one.place < other.place then one.fact_id else other.fact_id
            end as fact_id,
            case
                when one.place < other.place then other.fact_id else one.fact_id
            end as other_fact_id,
            alike.similarity_score,
            alike.guards
        from alike
        inner join placed as one on alike.text_id = one.fact_id
        inner join placed as other on alike.other_text_id = other.fact_id
    ),

    near_duplicates as (
        select
            {{ id_from(["earlier.fact_id", "later.fact_id"]) }} as pair_id,
            earlier.fact_id,
            later.fact_id as other_fact_id,
            earlier.namespace,
            earlier.project_key,
            directed.similarity_score,
            directed.guards,
            {{ item_count("directed.guards") }} > 0 as is_guarded,
            earlier.text,
            later.text as other_text,
            earlier.t_valid,
            later.t_valid as other_t_valid
        from directed
        inner join facts as earlier on directed.fact_id = earlier.fact_id
        inner join facts as later on directed.other_fact_id = later.fact_id
    )

select *
from near_duplicates

{#
    Pairs of texts of one scope that may be near-duplicates, each with how much its frames agree
    and which guards differ. `texts` has text_id, scope, text and frame: the words to compare.

    MinHash finds the candidates. A text meets the three behind it and the first of all that share
    a key with it, in the order of their sketches: where thousands share one, as the lines of a
    nightly job do, most of their pairs are left out, and the work grows with the texts and not
    with their pairs. Written here and not with a library, since it has to run where the texts are:
    Python would carry each of them out of the engine, hash it in one process and carry it back.
#}
{% macro near_duplicate_pairs(texts, band_size=3) %}
    with
        worded as (
            select text_id, scope, {{ word_hashes("frame") }} as words from {{ texts }}
        ),

        paired as (
            select
                *, {{ pair_hashes("words") }} as pairs, {{ xor_of("words") }} as whole
            from worded
            where {{ item_count("words") }} > 0
        ),

        sketched as (
            select
                text_id,
                scope,
                words,
                whole,
                {{ nearest_hashes("pairs", 30) }} as nearest
            from paired
        ),

        numbered as (
            select
                text_id,
                scope,
                words,
                row_number() over (
                    order by
                        {{ item_at("nearest", 1) }},
                        {{ item_at("nearest", 2) }},
                        {{ item_at("nearest", 3) }},
                        text_id
                ) as text_number,
                {{ sketch_keys("words", "whole", "nearest", 30, band_size) }} as keys
            from sketched
        ),

        keyed as (
            select text_number, scope, key
            from {{ each_item("numbered", "keys", "key", "key_number") }}
        ),

        met as (
            select
                text_number,
                [
                    first_value(text_number) over bucket,
                    lead(text_number, 1) over bucket,
                    lead(text_number, 2) over bucket,
                    lead(text_number, 3) over bucket
                ] as others
            from keyed
            window bucket as (partition by scope, key order by text_number)
        ),

        candidates as (
            select distinct
                least(text_number, other) as first_number,
                greatest(text_number, other) as second_number
            from {{ each_item("met", "others", "other", "other_number") }}
            where other <> text_number
        ),

        members as (
            select first_number as text_number
            from candidates
            union
            select second_number as text_number
            from candidates
        ),

        described as (
            select
                numbered.text_id,
                numbered.text_number,
                {{ shingle_hashes("numbered.words") }} as shingles,
                {{ hashes_of(guarded_parts("texts.text")) }} as parts
            from members
            inner join numbered on members.text_number = numbered.text_number
            inner join {{ texts }} as texts on numbered.text_id = texts.text_id
        ),

        compared as (
            select
                one.text_id,
                other.text_id as other_text_id,
                {{ shared_count("one.shingles", "other.shingles") }} as shared,
                {{ item_count("one.shingles") }}
                + {{ item_count("other.shingles") }} as held,
                {{ differing_guards("one.parts", "other.parts") }} as guards
            from candidates
            inner join described as one on candidates.first_number = one.text_number
            inner join
                described as other on candidates.second_number = other.text_number
        )

    select
        text_id,
        other_text_id,
        shared::double / (held - shared) as similarity_score,
        guards
    from compared
{% endmacro %}

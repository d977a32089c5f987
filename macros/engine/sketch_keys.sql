{#
    The keys of which near-duplicates share at least one: all words; of a short text also all words
    but one, each in turn; of a longer one bands of its nearest hashes. A band of three is shared
    by chance by hardly any two texts, one of one hash by all that have a little in common. `whole`
    is a column, since a lambda that reads a list carries a copy of it for each item.
#}
{% macro sketch_keys(words, whole, nearest, count, band_size) %}
    list_distinct(
        list_concat(
            [{{ whole }}],
            case
                when len({{ words }}) <= 12
                then list_transform({{ words }}, lambda word:xor(word, {{ whole }}))
                else []
            end,
            case
                when len({{ words }}) > {{ 12 if band_size > 1 else 1 }}
                then
                    [
                        {% for start in range(1, count + 1, band_size) %}
                            hash(
                                {{ start }}
                                {%- for number in range(start, start + band_size) %}
                                    , {{ item_at(nearest, number) }}
                                {%- endfor %}
                            )
                            {{- "," if not loop.last }}
                        {% endfor %}
                    ]
                else []
            end
        )
    )
{%- endmacro %}

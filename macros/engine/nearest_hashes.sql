{#
    A MinHash sketch: of a list of hashes, the one that lies nearest to each of `count` points, by
    xor. Two sets share such a hash with the chance of their Jaccard similarity, and since the
    points are spread over all hashes, one random hash an item does for all of them.
#}
{% macro nearest_hashes(hashes, count) %}
    [
        {% for number in range(count) %}
            list_min(
                list_transform(
                    {{ hashes }},
                    lambda item:xor(
                        item,
                        {{ number }}::ubigint
                        * {{ 18446744073709551616 // count }}::ubigint
                        + {{ (number * 2654435761 + 40503) % 4294967296 }}::ubigint
                    )
                )
            )
            {{- "," if not loop.last }}
        {% endfor %}
    ]
{%- endmacro %}

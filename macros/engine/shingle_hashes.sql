{# What two texts are compared by: the set of a text's words and of its pairs of words, hashed. #}
{% macro shingle_hashes(words) %}
    list_distinct(list_concat({{ words }}, {{ pair_hashes(words) }}))
{%- endmacro %}

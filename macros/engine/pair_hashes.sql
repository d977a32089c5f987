{# The hash of each two words that follow one another, from the hashes of the words. #}
{% macro pair_hashes(words) %}
    list_transform(
        list_zip({{ words }}, {{ words }} [2:], true),
        lambda pair:hash(pair[1], pair[2])
    )
{%- endmacro %}

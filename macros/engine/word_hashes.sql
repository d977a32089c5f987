{# The hash of each word of a text, whatever its case, in their order; 64 bits of the engine's own. #}
{% macro word_hashes(text) %}
    list_transform(
        {{ all_matches("lower(" ~ text ~ ")", word_pattern()) }}, lambda word:hash(word)
    )
{%- endmacro %}

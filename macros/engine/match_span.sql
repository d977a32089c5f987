{#
    Where a pattern first matches in a text: its position from 1 and its length, both in
    characters; NULL where it does not match.
#}
{% macro match_span(text, pattern) %}
    {%- set lead_and_match -%}
        {{ text_literal("^([\\s\\S]*?)(" ~ pattern ~ ")") }}
    {%- endset -%}
    case
        when {{ matches(text, pattern) }}
        then
            [
                length(regexp_extract({{ text }}, {{ lead_and_match }}, 1)) + 1,
                length(regexp_extract({{ text }}, {{ lead_and_match }}, 2))
            ]
    end
{%- endmacro %}

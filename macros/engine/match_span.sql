{#
    Where a pattern first matches in a text: its position from 1 and its length, both in
    characters; NULL where it does not match. One that can match at the beginning alone needs no
    search for what stands before it, which costs ten times as much.
#}
{% macro match_span(text, pattern, at_beginning=false) %}
    {%- set lead_and_match -%}
        {{ text_literal("^([\\s\\S]*?)(" ~ pattern ~ ")") }}
    {%- endset -%}
    case
        when {{ matches(text, pattern) }}
        then
            {%- if at_beginning %}
                [1, length(regexp_extract({{ text }}, {{ text_literal(pattern) }}))]
            {%- else %}
                [
                    length(regexp_extract({{ text }}, {{ lead_and_match }}, 1)) + 1,
                    length(regexp_extract({{ text }}, {{ lead_and_match }}, 2))
                ]
            {%- endif %}
    end
{%- endmacro %}

{# How a sentence goes on that begins with a tag and speaks of it. #}
{% macro speaks_of_tag_pattern() -%}
    {{
        [
            "^ (?:is|was|are|means|holds|hides|wraps|marks|tags?|blocks?|lines?|",
            "should|must|can|and|or)\\b",
        ] | join
    }}
{%- endmacro %}

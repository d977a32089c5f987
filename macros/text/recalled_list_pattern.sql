{#
    A list of recalled memories that nothing but its heading tells from what a person says: the
    heading as a line of its own, items, a blank line. A heading among the items is one more
    list that was stored and recalled.
#}
{% macro recalled_list_pattern() -%}
    {{
        [
            "(?:(?:[-*] )*Relevant context recalled from previous sessions:[ \\t]*\\r?\\n",
            "(?:[ \\t]*(?:[-*]|[0-9]+[.)]) [^\\n]*\\n|[ \\t]+[^\\s][^\\n]*\\n)+",
            "[ \\t]*\\r?\\n\\s*)",
        ] | join
    }}
{%- endmacro %}

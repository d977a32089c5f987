{# The gateway's audit after a compaction: from a line that opens as one to the sentence that ends it. #}
{% macro audit_pattern() -%}
    {{
        [
            "(^|\\n)(?:System(?: \\(untrusted\\))?: \\[[^\\]\\n]*\\] [^\\sA-Za-z]* ?Post-Compaction Audit:",
            "(?s:.*?)after memory compaction\\.\\s*)+",
        ] | join
    }}
{%- endmacro %}

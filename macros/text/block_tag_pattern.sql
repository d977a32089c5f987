{#
    The tags around memories that an agent was shown, around what its client tells it, around its
    own reasoning, and around what a user keeps private: opening or closing, in any case, with
    attributes.
#}
{% macro block_tag_pattern() -%}
    {{
        [
            "(?i)</?(?:relevant[-_]memories|recalled[-_]memories|claude-mem-context|",
            "active_memory_plugin|system-reminder|system[-_]instruction|persisted-output|",
            "think|private)(?:\\s[^<>]*)?>",
        ] | join
    }}
{%- endmacro %}

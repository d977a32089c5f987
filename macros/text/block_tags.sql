{# The tags around memories that an agent was shown, and around what a user keeps private. #}
{% macro block_tags() -%}
    {{
        [
            "relevant-memories",
            "recalled-memories",
            "claude-mem-context",
            "active_memory_plugin",
            "system-reminder",
            "private",
        ] | join("|")
    }}
{%- endmacro %}

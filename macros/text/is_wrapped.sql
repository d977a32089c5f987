{# Whether a text still carries a metadata prefix or a recalled block. #}
{% macro is_wrapped(text) %}
    {{ strip_nested_prefixes(text) }} <> {{ text }}
    or {{ strip_metadata_blocks(text) }} <> {{ text }}
    or {{ strip_message_ids(text) }} <> {{ text }}
    or {{ strip_blocks(text) }} <> {{ text }}
    or {{ strip_recalled_lists(text) }} <> {{ text }}
    or {{ strip_tool_advice(text) }} <> {{ text }}
    or {{ strip_audits(text) }} <> {{ text }}
{% endmacro %}

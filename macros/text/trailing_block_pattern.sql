{#
    What a client tells its model behind what a person wrote: a block that opens a line and does
    not hold its own closing tag.
#}
{% macro trailing_block_pattern() -%}
    {%- set blocks = namespace(pattern=task_notification_pattern()) -%}
    {%- for name in ["ide_opened_file", "ide_selection", "environment_context"] -%}
        {%- set blocks.pattern = (
            blocks.pattern
            ~ "|<"
            ~ name
            ~ ">"
            ~ until_pattern("</" ~ name ~ ">")
            ~ "</"
            ~ name
            ~ ">"
        ) -%}
    {%- endfor -%}
    {{ "\\n\\s*(?:(?:" ~ blocks.pattern ~ ")\\s*)+$" }}
{%- endmacro %}

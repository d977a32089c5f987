{#
    Without recalled and private blocks, in any case. What follows a block and is closed once more
    belongs to a block around it. A block that is never closed goes to the end of the text, but
    only when its tag opens a line outside a code fence.
#}
{% macro strip_blocks(text) %}
    case
        when regexp_matches({{ text }}, '(?i)<(?:{{ block_tags() }})>')
        then {{ strip_open_block(strip_closed_blocks(text)) }}
        else {{ text }}
    end
{% endmacro %}

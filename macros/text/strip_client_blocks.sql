{#
    Without what a client tells its model before and behind what a person wrote. A sentence that
    begins with a tag speaks of it.
#}
{% macro strip_client_blocks(text) %}
    case
        when
            not contains({{ text }}, '</')
            or not (
                starts_with({{ text }}, '<')
                or starts_with({{ text }}, '# AGENTS.md instructions')
                or ends_with({{ text }}, '>')
            )
            or regexp_matches(
                regexp_replace({{ text }}, '^<[^<>]*>', ''),
                '{{ speaks_of_tag_pattern() }}'
            )
        then {{ text }}
        when starts_with({{ text }}, '<task-notification')
        then
            {{
                unless_empty(
                    replace_all(text, task_notification_pattern() ~ "\\s*", ""), text
                )
            }}
        else
            {{
                unless_empty(
                    replace_all(
                        text,
                        "^(?:"
                        ~ client_block_pattern()
                        ~ "\\s*)+|"
                        ~ trailing_block_pattern(),
                        "",
                    ),
                    text,
                )
            }}
    end
{% endmacro %}

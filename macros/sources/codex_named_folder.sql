{# The folder that Codex tells its model it works in, by either wording of its history. #}
{% macro codex_named_folder(text) %}
    coalesce(
        {{ first_match(text, "(?:^|\n)<environment_context>\\s*<cwd>([^<\n]+)</cwd>") }},
        {{
            first_match(
                text,
                "(?:^|\n)<environment_context>\\s*Current working directory: ([^\n]+)",
            )
        }}
    )
{% endmacro %}

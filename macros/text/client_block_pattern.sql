{#
    What a client tells its model in the user's name, between tags: the output of commands, what
    is open in the editor, how a background task ended, the folder and the rules.
#}
{% macro client_block_pattern() -%}
    {%- set names = [
        "command-name",
        "command-message",
        "command-args",
        "command-contents",
        "local-command-stdout",
        "local-command-stderr",
        "local-command-caveat",
        "bash-input",
        "bash-stdout",
        "bash-stderr",
        "ide_opened_file",
        "ide_selection",
        "ide_diagnostics",
        "environment_context",
        "user_instructions",
        "permissions instructions",
        "collaboration_mode",
        "skills_instructions",
        "skill_instructions",
        "skill",
        "plugins_instructions",
        "apps_instructions",
        "personality_spec",
        "model_switch",
        "realtime_conversation",
        "subagent_notification",
        "turn_aborted",
        "user_shell_command",
        "user_action",
        "token_budget",
    ] -%}
    {%- set blocks = namespace(pattern="") -%}
    {%- for name in names -%}
        {%- set blocks.pattern = (
            blocks.pattern ~ "<" ~ name ~ ">(?s:.*?)</" ~ name ~ ">|"
        ) -%}
    {%- endfor -%}
    {{
        [
            "(?:",
            blocks.pattern,
            "(?:# AGENTS\\.md instructions(?: for [^\\n]*)?\\s*)?",
            "<INSTRUCTIONS>(?s:.*?)</INSTRUCTIONS>)",
        ] | join
    }}
{%- endmacro %}

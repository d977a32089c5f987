{# A text after one rung of the ladder. #}
{% macro ladder_rung(name, text, role) %}
    {% if name == "trim" %} {{ trim_white_space(text) }}
    {% elif name == "header" %} {{ strip_headers(text) }}
    {% elif name == "envelope" %} {{ strip_envelope(text) }}
    {% elif name == "metadata block" %} {{ strip_metadata_blocks(text) }}
    {% elif name == "message id" %} {{ strip_message_ids(text) }}
    {% elif name == "recalled or private block" %} {{ strip_blocks(text) }}
    {% elif name == "recalled list" %} {{ strip_recalled_lists(text) }}
    {% elif name == "nested prefix" %} {{ strip_nested_prefixes(text) }}
    {% elif name == "tool advice" %} {{ strip_tool_advice(text) }}
    {% elif name == "audit" %} {{ strip_audits(text) }}
    {% elif name == "media mark" %} {{ strip_media(text) }}
    {% elif name == "reply tag" %}
        case
            when {{ role }} = 'user' then {{ text }} else {{ strip_reply_tags(text) }}
        end
    {% elif name == "silent token" %}
        case
            when {{ role }} = 'user'
            then {{ text }}
            else {{ strip_silent_tokens(text) }}
        end
    {% elif name == "queue" %}
        case when {{ role }} = 'user' then {{ strip_queue(text) }} else {{ text }} end
    {% elif name == "gateway line" %}
        case
            when {{ role }} = 'user'
            then {{ strip_gateway_lines(text) }}
            else {{ text }}
        end
    {% elif name == "command" %}
        case when {{ role }} = 'user' then {{ strip_command(text) }} else {{ text }} end
    {% elif name == "client block" %}
        case
            when {{ role }} = 'user'
            then {{ strip_client_blocks(text) }}
            else {{ text }}
        end
    {% elif name == "expanded prompt" %}
        case
            when {{ role }} = 'user'
            then {{ strip_expanded_prompt(text) }}
            else {{ text }}
        end
    {% endif %}
{% endmacro %}

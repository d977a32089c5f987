{#
    A text after one rung of the ladder. What a client writes in a user's name is stripped there
    only; an agent's tags and tokens only where no user wrote them.
#}
{% macro ladder_rung(name, text, role) %}
    {% set stripped -%}
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
        {% elif name == "queue" %} {{ strip_queue(text) }}
        {% elif name == "gateway line" %} {{ strip_gateway_lines(text) }}
        {% elif name == "command" %} {{ strip_command(text) }}
        {% elif name == "client block" %} {{ strip_client_blocks(text) }}
        {% elif name == "expanded prompt" %} {{ strip_expanded_prompt(text) }}
        {% elif name == "reply tag" %} {{ strip_reply_tags(text) }}
        {% elif name == "silent token" %} {{ strip_silent_tokens(text) }}
        {% endif %}
    {%- endset %}
    {% if name in [
        "queue",
        "gateway line",
        "command",
        "client block",
        "expanded prompt",
    ] %}
        case when {{ role }} = 'user' then {{ stripped }} else {{ text }} end
    {% elif name in ["reply tag", "silent token"] %}
        case when {{ role }} = 'user' then {{ text }} else {{ stripped }} end
    {% else %} {{ stripped }}
    {% endif %}
{% endmacro %}

{# Whether a Codex line says something that is staged: items, summaries, and the events that repeat what was said. #}
{% macro codex_says() %}
    (
        line_type
        in ('response_item', 'compacted', 'inter_agent_communication', 'realtime_item')
        or item_type in (
            'user_message',
            'agent_message',
            'agent_reasoning',
            'agent_reasoning_raw_content',
            'thread_rolled_back'
        )
        or item.type in ('UserMessage', 'AgentMessage', 'Reasoning', 'Plan')
    )
{% endmacro %}

{# Who speaks in a Codex line. #}
{% macro codex_speaker() %}
    case
        when item_type = 'message'
        then coalesce(role, 'system')
        when item_type = 'user_message' or item.type = 'UserMessage'
        then 'user'
        when
            (line_type = 'event_msg' and item_type = 'agent_message')
            or item.type in ('AgentMessage', 'Plan')
            or ends_with(item_type, '_call')
        then 'assistant'
        when ends_with(item_type, '_output')
        then 'tool'
        when
            item_type = 'reasoning'
            or starts_with(item_type, 'agent_reasoning')
            or item.type = 'Reasoning'
        then 'reasoning'
        else 'system'
    end
{% endmacro %}

{# Whose agent's memory it is: the agent's id, else the one that a plugin wrote into the user's. #}
{% macro mem0_agent(agent_id, user_id) %}
    coalesce(nullif({{ agent_id }}, ''), {{ first_match(user_id, ":agent:(.+)$") }})
{% endmacro %}

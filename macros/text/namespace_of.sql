{#
    Whose memory an event belongs to: the user's, or the user's named agent's. Colons of a name
    are escaped, so that no user can be called what another user's agent is called.
#}
{% macro namespace_of(user_id, agent_id) %}
    concat_ws(
        ':agent:',
        replace(replace({{ user_id }}, '%', '%25'), ':', '%3A'),
        replace(replace(nullif({{ agent_id }}, ''), '%', '%25'), ':', '%3A')
    )
{% endmacro %}

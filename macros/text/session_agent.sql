{# The agent in a session key, `agent:<name>:…`, in lower case; NULL where the key names none. #}
{% macro session_agent(session_key) %}
    {{ first_match("lower(trim(" ~ session_key ~ "))", "^agent:([^:]+):") }}
{%- endmacro %}

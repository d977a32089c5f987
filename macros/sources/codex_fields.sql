{#
    The fields of a Codex rollout line that staging reads, with the types they are read as. A bare
    line of the first age has at its top what a wrapped one has in its payload.
#}
{% macro codex_fields() %}
    {% set item = {
        "id": "VARCHAR",
        "role": "VARCHAR",
        "content": "JSON",
        "message": "VARCHAR",
        "text": "VARCHAR",
        "summary": "JSON",
        "replacement_history": "JSON",
        "name": "VARCHAR",
        "call_id": "VARCHAR",
        "arguments": "VARCHAR",
        "input": "VARCHAR",
        "action": "JSON",
        "output": "JSON",
        "item": {"type": "VARCHAR", "content": "JSON", "text": "VARCHAR"},
        "num_turns": "VARCHAR",
        "phase": "VARCHAR",
        "turn_id": "VARCHAR",
        "cwd": "VARCHAR",
        "git": {"branch": "VARCHAR", "repository_url": "VARCHAR"},
        "originator": "VARCHAR",
        "cli_version": "VARCHAR",
        "source": "JSON",
        "thread_source": "VARCHAR",
        "session_id": "VARCHAR",
        "forked_from_id": "VARCHAR",
        "parent_thread_id": "VARCHAR",
    } %}
    {% set line = {
        "timestamp": "VARCHAR",
        "type": "VARCHAR",
        "record_type": "VARCHAR",
        "ordinal": "VARCHAR",
    } %}
    {% set payload = {"type": "VARCHAR", "timestamp": "VARCHAR"} %}
    {% do payload.update(item) %}
    {% do line.update(item) %}
    {% do line.update({"payload": payload}) %}
    {{ return(line) }}
{% endmacro %}

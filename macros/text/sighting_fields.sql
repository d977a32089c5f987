{# What two sightings of an event can disagree on, metadata apart: name and column. #}
{% macro sighting_fields(relation) %}
    {% set fields = {"content": "coalesce(" ~ relation ~ ".content, '')"} %}
    {% for name in [
        "session_key",
        "session_id",
        "parent_native_id",
        "turn_id",
        "agent_id",
        "event_kind",
        "trigger_kind",
        "cwd",
        "git_branch",
        "occurred_at",
    ] %}
        {% do fields.update({name: relation ~ "." ~ name}) %}
    {% endfor %}
    {{ return(fields) }}
{% endmacro %}

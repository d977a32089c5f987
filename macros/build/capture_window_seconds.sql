{# How long after its first sighting a turn can still be captured again, in seconds. #}
{% macro capture_window_seconds() %}
    {{ var("capture_window_seconds") | int }}
{% endmacro %}

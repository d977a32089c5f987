{# The last of the window starts at or before an instant. #}
{% macro last_start(starts, instant) %}
    list_max(list_filter({{ starts }}, lambda start:start <= {{ instant }}))
{% endmacro %}

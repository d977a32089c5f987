{# One id of a session scope such as `agent_id=a&run_id=r`, whose values escape `%`, `&` and `=`. #}
{% macro mem0_scope(scope, name) %}
    replace(
        replace(
            replace(
                {{ first_match(scope, "(?:^|&)" ~ name ~ "=([^&]*)") }}, '%3D', '='
            ),
            '%26',
            '&'
        ),
        '%25',
        '%'
    )
{% endmacro %}

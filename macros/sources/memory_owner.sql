{# Whose a memory file is: the place of the memory folder that holds it, else its own folder. #}
{% macro memory_owner(container) %}
    coalesce(
        {{ first_match(container, "^(.*?)/memory/") }},
        {{ first_match(container, "^(.*)/[^/]*$") }},
        ''
    )
{% endmacro %}

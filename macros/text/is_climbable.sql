{# Whether any rung of the ladder would change a text. #}
{% macro is_climbable(text, role) %}
    {% set changes = namespace(any="false") %}
    {% for name in ladder_rungs().split("|") | unique %}
        {% set changes.any = (
            changes.any
            ~ " or "
            ~ ladder_rung(name, text, role)
            ~ " <> "
            ~ text
        ) %}
    {% endfor %}
    ({{ changes.any }})
{% endmacro %}

{# A text after all rungs of the ladder, each once. #}
{% macro ladder_once(text, role) %}
    {% set climbed = namespace(text=text) %}
    {% for name in ladder_rungs().split("|") %}
        {% set climbed.text = with_value(
            "rung", climbed.text, ladder_rung(name, "rung", role)
        ) %}
    {% endfor %}
    {{ climbed.text }}
{% endmacro %}

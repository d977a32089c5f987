{# A text after all rungs of the ladder, each once. #}
{% macro ladder_once(text, role) %}
    {% set climbed = namespace(query="[" ~ text ~ "]") %}
    {% for name in ladder_rungs().split("|") %}
        {% set climbed.query = (
            "list_transform("
            ~ climbed.query
            ~ ", lambda rung: "
            ~ ladder_rung(name, "rung", role)
            ~ ")"
        ) %}
    {% endfor %}
    {{ climbed.query }} [1]
{% endmacro %}

{#
    A from clause: the rows of a relation with their text after each rung of the ladder once, as
    `body`, and the rungs that changed it, as `steps`. One query a rung: a rung names its text
    many times, and a name is cheap where an expression is not.
#}
{% macro climbed_ladder(relation, text) %}
    {% set climbed = namespace(
        query="(select event_id, record_id, given_hash, role, []::varchar[] as steps, "
        ~ text
        ~ " as body from "
        ~ relation
        ~ ")"
    ) %}
    {% for name in ladder_rungs().split("|") %}
        {% set climbed.query = (
            "(select event_id, record_id, given_hash, role, "
            ~ noted(name)
            ~ " as steps, body from (select event_id, record_id, given_hash, role, steps,"
            ~ " body as text_before, "
            ~ ladder_rung(name, "body", "role")
            ~ " as body from "
            ~ climbed.query
            ~ " as rung) as rung)"
        ) %}
    {% endfor %}
    {{ climbed.query }}
{% endmacro %}

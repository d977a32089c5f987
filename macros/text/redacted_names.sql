{#
    The names of a relation that hold a secret, and what marts show instead of each: `name` and
    `shown_name`. A secret that was glued to another one shows only when that one is gone.
#}
{% macro redacted_names(named) %}
    with
        redacted as (
            select name, {{ redact_secrets("name") }} as redacted_once from {{ named }}
        ),

        holding as (
            select distinct name, redacted_once
            from redacted
            where redacted_once <> name
        )

    select name, {{ redact_secrets("redacted_once") }} as shown_name
    from holding
{% endmacro %}

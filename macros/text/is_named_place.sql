{#
    Whether a memory stands in the session and the project that an operation names. Where it names
    none, any will do.
#}
{% macro is_named_place(change, memory) -%}
    coalesce(
        {{ change }}.session_id = {{ memory }}.session_id,
        {{ change }}.session_id is null
    )
    and coalesce(
        {{ change }}.project_name = {{ memory }}.project_name,
        {{ change }}.project_name is null
    )
{%- endmacro %}

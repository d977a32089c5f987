{#
    An event's id. A native id shorter than a UUID is unique within its session only, so the
    session joins the parts; a record without a native id is known by its own record id.
#}
{% macro event_id(
    source_system,
    native_id,
    session_id="session_id",
    role="role",
    part="part"
) %}
    {{
        id_from(
            [
                source_system,
                "case when length("
                ~ native_id
                ~ ") < 32 then "
                ~ session_id
                ~ " end",
                "coalesce(" ~ native_id ~ ", record_id)",
                role,
                part,
            ]
        )
    }}
{% endmacro %}

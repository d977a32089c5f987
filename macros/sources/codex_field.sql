{# A field of a Codex line, from its payload where it is wrapped, else from its top. #}
{% macro codex_field(name) %}
    coalesce(entry.payload.{{ name }}, entry.{{ name }})
{% endmacro %}

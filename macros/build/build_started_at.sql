{# When the build began, UTC: the time at which the system learned what it had not known. #}
{% macro build_started_at() -%}
    cast({{ text_literal(run_started_at.strftime("%Y-%m-%d %H:%M:%S")) }} as timestamp)
{%- endmacro %}

{# A time of Lethe's as UTC; its driver writes `2026-07-01 10:00:00.5 +0000 UTC`. #}
{% macro lethe_time(text) %}
    {{
        utc_timestamp(
            "regexp_replace("
            ~ text
            ~ ", ' ([+-][0-9]{2})([0-9]{2})( [A-Z]+)?( m=.*)?$', '\\1:\\2')"
        )
    }}
{% endmacro %}

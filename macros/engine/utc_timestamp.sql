{#
    A source's time as UTC: ISO 8601 with or without seconds and a zone (then UTC), epoch seconds
    or milliseconds; NULL for anything else, and for years that no clock of ours has shown.
#}
{% macro utc_timestamp(text) %}
    case
        when regexp_full_match({{ text }}, '[0-9]{9,11}(\.[0-9]+)?')
        then make_timestamp((try_cast({{ text }} as double) * 1000000)::bigint)
        when regexp_full_match({{ text }}, '[0-9]{12,14}(\.[0-9]+)?')
        then make_timestamp((try_cast({{ text }} as double) * 1000)::bigint)
        when
            regexp_matches(
                {{ text }},
                '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}[^:0-9]'
            )
        then
            timezone(
                'UTC',
                try_cast(
                    left({{ text }}, 16)
                    || ':00'
                    || substr({{ text }}, 17) as timestamptz
                )
            )
        when regexp_matches({{ text }}, '^[12][0-9]{3}-')
        then timezone('UTC', try_cast({{ text }} as timestamptz))
    end
{% endmacro %}

{# A source's time as UTC: ISO 8601 with or without a zone (then UTC), epoch seconds or milliseconds. #}
{% macro utc_timestamp(text) %}
    case
        when regexp_full_match({{ text }}, '[0-9]{9,11}(\.[0-9]+)?')
        then make_timestamp((try_cast({{ text }} as double) * 1000000)::bigint)
        when regexp_full_match({{ text }}, '[0-9]{12,14}(\.[0-9]+)?')
        then make_timestamp((try_cast({{ text }} as double) * 1000)::bigint)
        else timezone('UTC', try_cast({{ text }} as timestamptz))
    end
{% endmacro %}

{#
    A record's JSON text, or NULL where it can't be read. One lone surrogate escape aborts a
    whole query, so it is replaced by U+FFFD first; chr(1) and chr(2), which JSON text can't
    hold, stand in for escaped backslashes and whole pairs meanwhile.
#}
{% macro readable_json(payload) %}
    case
        when json_valid({{ payload }})
        then {{ payload }}
        when json_valid({{ replace_lone_surrogates(payload) }})
        then {{ replace_lone_surrogates(payload) }}
    end
{% endmacro %}

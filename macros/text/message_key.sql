{#
    What tells the messages of a source apart: its native id, with the session where ids are
    shorter than a UUID; NULL where there is no id.
#}
{% macro message_key(native_id, events="") %}
    {{ events }}source_system
    || '/'
    || case
        when length({{ native_id }}) < 32
        then coalesce({{ events }}session_id, '') || '/' || {{ native_id }}
        else {{ native_id }}
    end
{% endmacro %}

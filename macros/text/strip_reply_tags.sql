{# Without the tags that tell the gateway where a reply goes. #}
{% macro strip_reply_tags(text) %}
    case
        when contains({{ text }}, '[[')
        then
            regexp_replace(
                {{ text }},
                '\[\[ *(?:reply_to_current|reply_to: *[^\]\n]*|audio_as_voice) *\]\][ \t]*',
                '',
                'g'
            )
        else {{ text }}
    end
{% endmacro %}

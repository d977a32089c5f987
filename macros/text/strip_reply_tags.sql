{# Without the tags that tell the gateway where a reply goes. #}
{% macro strip_reply_tags(text) %}
    case
        when contains({{ text }}, '[[')
        then
            regexp_replace(
                {{ text }},
                '(?i)\[\[\s*(?:reply_to_current|reply_to\s*:[^\]\n]*|audio_as_voice)\s*\]\][ \t]*',
                '',
                'g'
            )
        else {{ text }}
    end
{% endmacro %}

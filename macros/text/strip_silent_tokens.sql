{#
    Without the words by which an agent says that it has nothing to say. A heartbeat token goes
    from either end, with the marks around it; a reply token goes from the end, or when it is
    all there is. In the middle of a sentence, or as a part of a word, both are words.
#}
{% macro strip_silent_tokens(text) %}
    case
        when
            contains(upper({{ text }}), 'HEARTBEAT_OK')
            or contains(upper({{ text }}), 'NO_REPLY')
        then
            regexp_replace(
                regexp_replace(
                    {{ text }},
                    '(?i)^(?:(?:<[a-z]+>|[*_`~])*HEARTBEAT_OK(?:</[a-z]+>|[*_`~])*'
                    || '(?:[\s.!,:;–—-]+|$))+',
                    ''
                ),
                '(?i)(?:(?:^|\s+)(?:<[a-z]+>|[*_`~])*(?:HEARTBEAT_OK|NO_REPLY)'
                || '(?:</[a-z]+>|[*_`~.!-])*\s*)+$',
                ''
            )
        else {{ text }}
    end
{% endmacro %}

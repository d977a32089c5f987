{# Without the marks of what is attached, where something is said beside them. #}
{% macro strip_media(text) %}
    case
        when contains({{ text }}, '[media attached')
        then
            {{
                unless_empty(
                    "regexp_replace("
                    ~ text
                    ~ ", '"
                    ~ media_pattern()
                    ~ "', '', 'g')",
                    text,
                )
            }}
        else {{ text }}
    end
{% endmacro %}

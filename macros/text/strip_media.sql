{# Without the marks of what is attached, where something is said beside them. #}
{% macro strip_media(text) %}
    case
        when contains({{ text }}, '[media attached')
        then {{ unless_empty(replace_all(text, media_pattern(), ""), text) }}
        else {{ text }}
    end
{% endmacro %}

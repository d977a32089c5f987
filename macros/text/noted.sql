{# The steps so far, with this one and the lengths around it where it changed the text. #}
{% macro noted(step) %}
    case
        when body = text_before
        then steps
        else
            list_append(
                steps, '{{ step }}|' || length(text_before) || ' → ' || length(body)
            )
    end
{% endmacro %}

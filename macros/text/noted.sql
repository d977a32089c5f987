{# The steps so far, with this one where it changed the text. #}
{% macro noted(step) %}
    case when body = text_before then steps else list_append(steps, '{{ step }}') end
{% endmacro %}

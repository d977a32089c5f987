{# Whose memory this is: the setting of that name, never the account of the machine. #}
{% macro user_id() %} {{ text_literal(var("user_id")) }} {% endmacro %}

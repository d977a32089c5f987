-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '9adf0e229b81fbfdf3e60a90a8fcbe04d492f85efeecd30d0d13369abb1c381d'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '4e8c6a5d47f2df194b55d976160654e4ae77a5a56ca4ffc3df7f318b19a002d8'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'bf125e793c3bebb8a53f6421b7ef112c2476ac1884166c31ac9d75e49ebe3432'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '4fd0f84b5f8b5917de2391d81488b1df6660dec502061d0c4130f55edf04ee69'
{% endmacro %}

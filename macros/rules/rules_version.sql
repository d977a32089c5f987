-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '0aac344638cb94c8ca8b4995fd3da06fab86646f92a21f82396e7e04ff156f1e'
{% endmacro %}

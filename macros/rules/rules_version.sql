-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '3113af6177efb433726b7502e4589452a03b7b751f02e735b19b3fa0dc8e523a'
{% endmacro %}

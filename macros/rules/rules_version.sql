-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '0ad65ccb8358939353dd9291f43834d44ce3ff26cad943d14db7ae208ecfee72'
{% endmacro %}

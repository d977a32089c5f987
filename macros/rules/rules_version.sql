-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '2e4b0699c068afc7dd9b40b4e7bcaaa1631faa49f420d3cc8eda3faf841e6f24'
{% endmacro %}

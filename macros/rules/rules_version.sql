-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '0b89e4439765d89f16935f0ccd8caad0f774f720ca2e00895f7d052b1c941acf'
{% endmacro %}

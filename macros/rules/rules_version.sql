-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '0d55183b5eeb0fdc404f7828794597cd9c5401a17dc36334311307161e2f7179'
{% endmacro %}

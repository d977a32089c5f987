-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '64863a634ed5f9401d02d26b1a87a23e1f2e2168166730d02aa4316f8e042bb4'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'b71aca12b900c853330453d4dd7ea3d9e040aac12f8edcaccb2332895be9a38a'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '72d669527cd3b0efdc328bdccb1c883018ae34b843da7de497c2e59727ee30a0'
{% endmacro %}

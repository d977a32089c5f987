-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'f349785c247732357776c396a18bfe7e1bc167dd82fe1746c1746546af643cb1'
{% endmacro %}

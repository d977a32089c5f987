-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'd43ff2dad73465e80e2964b46b9e0500ad53ec0c2ad3dba4e07911a42d5fc6ae'
{% endmacro %}

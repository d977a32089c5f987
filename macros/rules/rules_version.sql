-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '96a1c8345f9c3afa8c9e35d59905ad5b45dd1bec40c59098f2acd3034352d39c'
{% endmacro %}

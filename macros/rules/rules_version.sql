-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'bd99ad31a0021c38bb05f7d35f75cc7924410bf74b9900809c776cdef04659ef'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '11a1d1b63c6dff65b61b54c77501c14fe4b4e7de6b60500c528eeb762a32fc97'
{% endmacro %}

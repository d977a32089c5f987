-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '000c9c9fd5289ed0dcb2345d281e2d4a29bb3f83b3d988465ec6c527ae9e6ca2'
{% endmacro %}

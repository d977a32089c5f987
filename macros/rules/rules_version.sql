-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '99b1b5cf242c4d62dec6dbbdf44cb93cefcda3e34d64936781db95b5b948a3bd'
{% endmacro %}

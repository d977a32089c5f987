-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'aa29cdb005464b2c80de650b967a4c6a1a0195e3b4ddbe683e796a669783eafc'
{% endmacro %}

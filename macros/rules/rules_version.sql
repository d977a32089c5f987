-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '4ec38225ee8289fd68b5c0b81754fe0bdb1ec17805d9152921c32661f3f2c305'
{% endmacro %}

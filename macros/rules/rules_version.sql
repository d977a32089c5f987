-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '6d8705c2f5ac830179b22c9b0dfe00a168e402fddb7ccae72a235196c34aa50b'
{% endmacro %}

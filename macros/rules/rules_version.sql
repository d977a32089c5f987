-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '46dee683212dc07228f49a1246d9db24ef2ff473f978af5f8ae613a9474d842f'
{% endmacro %}

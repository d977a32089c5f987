-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'c07eb5e53ef9800cf5b75e9c9ca5ef57fadfc9e8d827d6cfd3f5394869d5a3d7'
{% endmacro %}

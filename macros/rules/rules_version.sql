-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '586581d4226fd5c7d5c448a99c65bd0bb4dbe1d2ccef175539f5700caf065320'
{% endmacro %}

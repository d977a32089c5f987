-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '2b8613edf0de726e7d8fb280a08be1c6a3fc27ca107cd3cd00f4784f1191169a'
{% endmacro %}

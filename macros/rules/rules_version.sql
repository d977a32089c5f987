-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '4533dd8b3b8a141469b5574fdde0ad288be0931a6be628b4653d050cf96cc343'
{% endmacro %}

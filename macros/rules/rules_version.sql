-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '129cd2e277bbfa494080b5e3901115b2fafe53325440504edb8bdd4461920d33'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '1dd997c3c345a628ce52ed24c8c59987d02965a2bc8d35a015e96210939b405b'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'e6f214aef72865cc1257683b277d65f6a9fed47b9cd5136e5d39c2c52f2a40bc'
{% endmacro %}

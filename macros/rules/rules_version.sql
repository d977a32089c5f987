-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '573b29c570c2df7221fe81a51994e6dc38d6d0303603d6522587337592495e6b'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    '55395235aeec3f48eed404c21d831ea2a16473997921cb0f07f18ac864c5ef82'
{% endmacro %}

-- fmt: off
{# The version of the seeds: the sha256 of what their rows say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro rules_version() %}
    'f077536750a009f59f72fb524b5bb955426aa17e057e1f124f6d423bef57f714'
{% endmacro %}

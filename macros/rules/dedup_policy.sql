-- fmt: off
{# A field of the policy in force, which says when a statement is stored again. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro dedup_policy(field) %}
    {{- {'policy_id': 'unbounded', 'scope': 'body', 'distance': 'any', 'window_size': ''}[field] -}}
{% endmacro %}

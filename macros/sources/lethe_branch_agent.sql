{# The agent whose own branch a ref of Lethe's is; NULL for branches that many share. #}
{% macro lethe_branch_agent(ref_name) %}
    {{ first_match(ref_name, "^refs/(?:agents|sessions)/([^/]+)/") }}
{% endmacro %}

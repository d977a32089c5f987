{# The hash of each item of a list; 64 bits of the engine's own. #}
{% macro hashes_of(items) %}
    list_transform({{ items }}, lambda item:hash(item))
{%- endmacro %}

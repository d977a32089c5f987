{#
    Which rows a store keeps that compares each with its last stored rows only: a list of
    booleans beside the ordered list of keys. Each answer depends on those before it, so it is a
    function in Python (tamis/recency.py), and there is no form of it for Spark.
#}
{% macro stored_in_window(keys, always_stored, window_size) %}
    stored_in_window({{ keys }}, {{ always_stored }}, {{ window_size }})
{%- endmacro %}

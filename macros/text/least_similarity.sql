{#
    How much two texts have to agree to be listed as near-duplicates: the share of words and pairs
    of words that they have in common, without what guards name. One other word in eight passes,
    one in five does not; texts that differ in guards alone agree wholly, however short they are.
#}
{% macro least_similarity() %} 0.6 {%- endmacro %}

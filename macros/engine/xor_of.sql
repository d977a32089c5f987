{# All hashes of a list as one that their order doesn't change: taking one out is xor once more. #}
{% macro xor_of(hashes) %} list_aggregate({{ hashes }}, 'bit_xor') {%- endmacro %}

{#
    The number of the stretch of so many seconds that a time lies in: times that are no further
    apart lie in one slot or in two that touch.
#}
{% macro time_slot(timestamp, seconds) %}
    cast(floor(epoch_ms({{ timestamp }}) / ({{ seconds }} * 1000)) as bigint)
{%- endmacro %}

{#
    The order in which the sightings of a statement stand for it: what nothing covers and no source
    declares a copy, by its capture, and who stands for that.
#}
{% macro sighting_order() -%}
    cover_rule is not null,
    copy_kind is not null,
    capture_order,
    event_id <> capture_id,
    event_order,
    event_id
{%- endmacro %}

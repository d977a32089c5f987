{#
    The envelopes of all records that can hold events: each source entity with the path of its
    records' kind (none where all are of one kind), and the text that the path is in where that is
    not the payload itself.
#}
{% macro every_record(kinds) %}
    {% for entity, kind in kinds.items() %}
        {% set system, table = entity.split("__") %}
        {% set path, told_in = (
            (kind, "payload") if kind is none or kind is string else kind
        ) %}
        {{ record_envelope(source(system, table), entity, path, told_in) }}
        {{ "union all" if not loop.last }}
    {% endfor %}
{% endmacro %}

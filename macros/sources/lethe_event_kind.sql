{#
    What an event of Lethe's is. Records, flags and tasks are what an agent chose to keep; a log is
    what it noticed on the way. A kind of tomorrow is taken for the weakest, an observation.
#}
{% macro lethe_event_kind(event_type) %}
    case
        when {{ event_type }} in ('record', 'flag', 'task')
        then 'memory'
        when {{ event_type }} in ('summary', 'system')
        then {{ event_type }}
        else 'observation'
    end
{% endmacro %}

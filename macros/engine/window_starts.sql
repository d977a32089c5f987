{#
    Where capture windows begin: an ordered list of epoch milliseconds is folded into the
    instants that lie more than `seconds` after the beginning before them.
#}
{% macro window_starts(instants, seconds) %}
    list_reduce(
        list_transform({{ instants }}, lambda instant:[instant]),
        lambda starts,
        next: case
            when next[1] - starts[-1] <= {{ seconds }} * 1000
            then starts
            else list_append(starts, next[1])
        end
    )
{% endmacro %}

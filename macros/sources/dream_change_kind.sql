{#
    What a correction of the dream fact store does to its target, by the word that it uses, else by
    whether it names a replacement; NULL for decisions that change no fact.
#}
{% macro dream_change_kind(word, replacement) %}
    case
        when lower({{ word }}) in ('add', 'noop', 'none', 'keep')
        then null
        when
            lower({{ word }}) in ('correct', 'correction', 'corrected', 'edit', 'amend')
        then 'correct'
        when lower({{ word }}) in ('update', 'supersede', 'superseded', 'replace')
        then 'supersede'
        when lower({{ word }}) in ('duplicate', 'merge', 'merged')
        then 'duplicate'
        when
            lower({{ word }})
            in ('delete', 'retire', 'retired', 'retract', 'invalidate', 'invalidated')
        then 'retire'
        when lower({{ word }}) in ('reopen', 'restore', 'reinstate', 'undo')
        then 'reopen'
        when {{ replacement }} is not null
        then 'supersede'
        else 'retire'
    end
{% endmacro %}

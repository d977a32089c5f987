-- fmt: off
{# The id of the first rule by which the event at hand may belong to a group, or NULL. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro grouping_rule() %}
    case
        when event_kind = 'observation' and source_system = 'claude_mem' then 'claude_mem_same_instant'
        when event_kind = 'memory' and {{ matches('body', '(?i)\\b(?:AGENTS|SOUL|IDENTITY|USER|TOOLS|HEARTBEAT|BOOTSTRAP|CLAUDE|MEMORY)\\.md\\b|\\bsystem (?:prompt|message|instructions?)\\b|\\b(?:assistant|agent|AI|bot|model)(?:\'s|’s)? (?:is|was|has been|should be|must be) (?:always |now |also )?(?:instructed|configured|supposed|told|required|expected|asked|directed|designed|programmed|set up|meant|prompted|to be)\\b|\\b(?:assistant|agent|AI|bot)(?:\'s|’s) (?:instructions?|role|persona|identity|guidelines?|rules?) (?:is|are|say|says|state|states|require|requires)\\b') }} then 'boot_file_restated'
    end
{% endmacro %}

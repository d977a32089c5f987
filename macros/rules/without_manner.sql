-- fmt: off
{# The body at hand without how texts of its grouping rule say what they say. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro without_manner() %}
    case
        when grouping_rule_id = 'boot_file_restated' then {{ replace_all('body', '(?i)\\b(?:according to|as (?:stated|defined|described|instructed|configured|written|given) (?:in|by)|per|following|based on|from)\\b|\\b(?:the|a|an|its|their|his|her|user|user\'s|user’s|own|this|that|it|they|also|always|now|currently)\\b|\\bsystem (?:prompt|message|instructions?)\\b|\\b(?:assistant|agent|AI|bot|model)s?(?:\'s|’s)?\\b|\\b(?:is|are|was|were|has been|have been|be|being)\\b|\\b(?:instructed|instructs?|configured|configures?|supposed|told|tells?|required|requires?|expected|expects?|asked|asks?|directed|directs?|designed|programmed|set up|meant|prompted|says?|states?|stated|specif(?:y|ies|ied)|mentions?|mandates?|dictates?|indicates?|defined?|defines|contains?|instructions?|guidelines?|rules?|files?|should|must|shall|will|needs?|has|have|ought|to)\\b', ' ') }}
        else body
    end
{% endmacro %}

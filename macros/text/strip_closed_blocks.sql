{# Without the recalled and private blocks that are closed, and the line that announces one. #}
{% macro strip_closed_blocks(text) %}
    regexp_replace(
        {{ text }},
        '(?is)(?:\n*Untrusted context \(metadata[^\n]*\):\n)?(?:'
        {% for tag in block_tags().split("|") %}
            || '<{{ tag }}>.*?</{{ tag }}>(?:(?:[^<]|<[^/{{ tag[0] }}]|</[^{{ tag[0] }}])*</{{ tag }}>)*'
            {% if not loop.last %} || '|' {% endif %}
        {% endfor %}
        || ')',
        '',
        'g'
    )
{% endmacro %}

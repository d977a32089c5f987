{#
    A prompt with its placeholders `[Pasted text #1 +20 lines]` replaced by what was pasted. `pastes`
    is a JSON object of {id, content}; where the content is kept elsewhere the placeholder stays.
#}
{% macro with_pasted_texts(prompt, pastes) %}
    list_reduce(
        list_transform(
            list_filter(
                coalesce(json_extract({{ pastes }}, '$.*'), []),
                lambda paste:json_extract_string(paste, '$.content') is not null
                and regexp_full_match(json_extract_string(paste, '$.id'), '[0-9]+')
            ),
            lambda paste:paste::varchar
        ),
        lambda text,
        paste:regexp_replace(
            text,
            '\[Pasted text #'
            || json_extract_string(paste, '$.id')
            || '(?: [^\]\n]*)?\]',
            replace(
                json_extract_string(paste, '$.content'), chr(92), chr(92) || chr(92)
            )
        ),
        {{ prompt }}
    )
{% endmacro %}

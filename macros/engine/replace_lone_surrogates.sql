{# Half a surrogate pair in a JSON escape becomes U+FFFD; whole pairs stay. #}
{% macro replace_lone_surrogates(payload) %}
    replace(
        replace(
            regexp_replace(
                regexp_replace(
                    replace({{ payload }}, '\\', chr(2)),
                    '\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})',
                    chr(1) || '\1' || chr(1) || '\2',
                    'g'
                ),
                '\\u[dD][89a-fA-F][0-9a-fA-F]{2}',
                '\\ufffd',
                'g'
            ),
            chr(1),
            '\u'
        ),
        chr(2),
        '\\'
    )
{% endmacro %}

{#
    Both ends without Unicode white space and byte order marks; the engine's own trim knows the
    space only, and with a list of characters it is slow: most texts need none.
#}
{% macro trim_white_space(text) %}
    case
        when
            ascii({{ text }}) between 33 and 126
            and regexp_matches({{ text }}, '[!-~]$')
        then {{ text }}
        else
            trim(
                {{ text }},
                ' '
                || chr(9)
                || chr(10)
                || chr(11)
                || chr(12)
                || chr(13)
                || chr(133)
                || chr(160)
                || chr(5760)
                || chr(8192)
                || chr(8193)
                || chr(8194)
                || chr(8195)
                || chr(8196)
                || chr(8197)
                || chr(8198)
                || chr(8199)
                || chr(8200)
                || chr(8201)
                || chr(8202)
                || chr(8232)
                || chr(8233)
                || chr(8239)
                || chr(8287)
                || chr(12288)
                || chr(65279)
            )
    end
{% endmacro %}

{#
    A text as hive-mind's stop hook reduces it before it cuts it: fenced code is a mark, and all
    white space between words is one blank.
#}
{% macro one_line(text) %}
    {{
        trim_white_space(
            replace_all(
                replace_all(text, "```[\\s\\S]*?```", "[code]"),
                "[\\s\u000b\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+",
                " ",
            )
        )
    }}
{%- endmacro %}

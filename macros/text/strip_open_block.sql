{# Without a block that is never closed, from the line that its tag opens to the end. #}
{% macro strip_open_block(text) %}
    {% set before_tag -%}
        regexp_extract(
            {{ text }}, '(?is)^(.*?)(?:^|\n)[ \t]*<(?:{{ block_tags() }})>', 1
        )
    {%- endset %}
    case
        when
            regexp_matches({{ text }}, '(?im)^[ \t]*<(?:{{ block_tags() }})>')
            and len(string_split({{ before_tag }}, '```')) % 2 = 1
        then {{ before_tag }}
        else {{ text }}
    end
{% endmacro %}

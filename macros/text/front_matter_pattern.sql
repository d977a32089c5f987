{# The fields between two lines of dashes with which a Markdown file may begin; they are the group. #}
{% macro front_matter_pattern() -%}
    {{ "^---[ \\t]*\\n([A-Za-z_][\\s\\S]*?\\n)(?:---|\\.\\.\\.)[ \\t]*(?:\\n|$)" }}
{%- endmacro %}

{# Any text that does not hold a literal, which has no marks of a pattern in it and opens with `<`. #}
{% macro until_pattern(literal) -%}
    {%- set rest = namespace(pattern="[^" ~ literal[-1] ~ "]") -%}
    {%- for character in literal[1:-1] | reverse -%}
        {%- set rest.pattern = (
            "(?:[^" ~ character ~ "]|" ~ character ~ rest.pattern ~ ")"
        ) -%}
    {%- endfor -%}
    {{ "(?:[^<]|<" ~ rest.pattern ~ ")*?" }}
{%- endmacro %}

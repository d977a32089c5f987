{# hive-mind's headers: `[hm …]`, `[mind-rawturn …]`, `[wiki-synth …]`. #}
{% macro header_pattern() -%}
    {{ "\\[(?:hm|mind-rawturn|wiki-synth) [^\\]]*\\]\\s*" }}
{%- endmacro %}

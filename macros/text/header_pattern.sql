{# hive-mind's headers: `[hm …]`, `[mind-rawturn …]`, `[wiki-synth …]`, `[Harvest:…]`. #}
{% macro header_pattern() -%}
    {{ "\\[(?:(?:hm|mind-rawturn|wiki-synth) [^\\]]*|Harvest:[^\\]\\s]+)\\]\\s*" }}
{%- endmacro %}

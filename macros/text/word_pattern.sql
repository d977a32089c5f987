{#
    A word: what stands between white space and marks. Where words are written without a space, as
    in Chinese, Japanese, Korean and Thai, each character counts as one.
#}
{% macro word_pattern() %}
    {%- set unspaced = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff" -%}
    {%- set marks = "\\x00-/:-@\\[-`{-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb-\u00bf\u2000-\u206f\u3000-\u303f\ufeff\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65" -%}
    {{- "[" ~ unspaced ~ "]|[^" ~ marks ~ unspaced ~ "]+" -}}
{%- endmacro %}

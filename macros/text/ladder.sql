{#
    A text after all rungs of the ladder, again and again: what a rung took away may have hidden a
    wrapper from the one before. What eight rounds do not get to is refused as still wrapped.
#}
{% macro ladder(text, role) %}
    {% set round -%}
        case
            when {{ is_climbable("given", role) }}
            then {{ ladder_once("given", role) }}
            else given
        end
    {%- endset %}
    {{ repeated(8, "given", text, round) }}
{% endmacro %}

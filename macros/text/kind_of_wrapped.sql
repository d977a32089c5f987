{#
    What machine text of a user's role is, NULL where a person's words are in it: the words that
    a machine's frame holds are a person's if they are none of a machine by themselves.
#}
{% macro kind_of_wrapped(text) %}
    {% set kind -%}
        case
            when words = '' or {{ machine_kind("words") }} is not null
            then {{ machine_kind(text) }}
        end
    {%- endset %}
    case
        when {{ machine_kind(text) }} is not null
        then {{ with_value("words", ladder(text, "'user'"), kind) }}
    end
{% endmacro %}

{#
    The folder beside whose code a tool keeps its history, by the file that was landed; NULL where
    the file does not stand where the tool writes it.
#}
{% macro history_folder(origin, ending) %}
    {%- set place = "replace(" ~ origin ~ ", chr(92), '/')" -%}
    case
        when regexp_matches({{ place }}, '^(?:/|[A-Za-z]:).*{{ ending }}')
        then regexp_replace({{ place }}, '{{ ending }}', '')
    end
{% endmacro %}

{#
    A from clause: the rows of a relation, with some of its columns as marts may show them,
    `shown_<column>`: ids, folders and the like, without the secrets that people write into them.
    Hardly any name holds one, so `names` (int_names_redacted) is small.
#}
{% macro with_shown(relation, names, columns) %}
    (
        select
            {{ relation }}.*
            {%- for column in columns %}
                ,
                coalesce(
                    names_of_{{ column }}.shown_name, {{ relation }}.{{ column }}
                ) as shown_{{ column }}
            {%- endfor %}
        from {{ relation }}
        {%- for column in columns %}
            left join
                {{ names }} as names_of_{{ column }}
                on {{ relation }}.{{ column }} = names_of_{{ column }}.name
        {%- endfor %}
    )
{% endmacro %}

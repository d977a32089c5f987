{# Each distinct text that some columns of a relation hold, as `name`. #}
{% macro names_in(relation, columns) %}
    {% for column in columns %}
        {% if not loop.first %}
            union
        {% endif %}
        select {{ column }} as name
        from {{ relation }}
        where {{ column }} is not null
    {% endfor %}
{% endmacro %}

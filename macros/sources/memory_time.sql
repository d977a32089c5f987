{# When a note was written, where its file's name says so: a date, with or without hour and minute. #}
{% macro memory_time(file_name) %}
    {{
        utc_timestamp(
            first_match(file_name, "^([0-9]{4}-[0-9]{2}-[0-9]{2})")
            ~ " || 'T' || coalesce("
            ~ first_match(file_name, "^.{10}-([01][0-9]|2[0-3])[0-5][0-9][-.]")
            ~ " || ':' || "
            ~ first_match(file_name, "^.{10}-(?:[01][0-9]|2[0-3])([0-5][0-9])[-.]")
            ~ ", '00:00') || 'Z'"
        )
    }}
{% endmacro %}

{#
    A statement's own id: whose it is, the name of its file, its words, and which of equal ones in
    the file it is. It outlives an edit beside it and a move of the file within its memory.
#}
{% macro memory_id() %}
    {{ id_from(["owner", "file_name", "statement", "occurrence"]) }}
{% endmacro %}

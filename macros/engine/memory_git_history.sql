{#
    What the accepted history of a Memory Git project says, a JSON object of `changesets`, `states`
    and `conflicts`, from a JSON array of its staged rows. What an operation does depends on all
    operations before it, so this is a Python function (tamis/memory_git/rows.py, registered by
    tamis/udf.py); it has no form on Spark.
#}
{% macro memory_git_history(rows) %} memory_git_history({{ rows }}) {% endmacro %}

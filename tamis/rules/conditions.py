"""What a rule's condition may ask for: the columns of its event, and answers that stay the same."""

from collections.abc import Mapping

import duckdb

# The condition's tree is text: no engine type tells a query within it, or its functions.
BEYOND_ITS_EVENT = """
    with told as (select json_serialize_sql(?::varchar)::varchar as tree),
    named as (
        select unnest(regexp_extract_all(tree, '"function_name":"([^"]*)"', 1)) as name
        from told
    ),
    beyond as (
        select 'a query' as name from told where contains(tree, '"class":"SUBQUERY"')
        union all
        select name from named where name in (
            select function_name from duckdb_functions() where stability <> 'CONSISTENT'
        )
    )
    select min(name) from beyond
"""


def beyond_its_event(
    condition: str, columns: Mapping[str, str], engine: duckdb.DuckDBPyConnection
) -> str | None:
    """What a condition asks for beside its event: a query, or a function such as now(); or None.

    Args:
        condition: a SQL expression.
        columns: the type of each column of an event.
        engine: binds it.

    Raises:
        duckdb.Error: it is no expression over these columns alone.
    """
    event = ", ".join(f"null::{kind} as {name}" for name, kind in columns.items())
    # A `where` takes neither aggregates nor windows: a rule judges its event alone.
    engine.execute(f"select 1 from (select {event}) where ({condition})::boolean")
    told = engine.execute(BEYOND_ITS_EVENT, [f"select {condition}"]).fetchone()
    return told[0] if told else None

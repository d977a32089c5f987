"""The dbt-duckdb plugin: what a plain `dbt build` needs, before it connects and in its SQL."""

from pathlib import Path
from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb import DuckDBPyConnection
from duckdb.sqltypes import VARCHAR

from tamis import recency
from tamis.home import prepare_home


class Plugin(BasePlugin):
    """Makes the home folder, and gives SQL the functions that are sequential by nature.

    Without the folder DuckDB ends in a traceback (see profiles.yml). The functions are plain
    Python over text; macros in `macros/engine` call them, since they have no form on Spark.
    """

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        prepare_home(Path(plugin_config["home"]).expanduser())

    def configure_connection(self, conn: DuckDBPyConnection) -> None:
        recency.register(conn)
        conn.create_function("memory_git_history", memory_git_history, [VARCHAR], VARCHAR)


def memory_git_history(rows: str) -> str:
    """See `tamis.memory_git.rows`, which is loaded when a project has a history."""
    from tamis.memory_git.rows import history_rows

    return history_rows(rows)

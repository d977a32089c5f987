"""The dbt-duckdb plugin: what a plain `dbt build` needs to connect, and SQL can't say."""

from pathlib import Path
from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin
from duckdb import DuckDBPyConnection

from tamis import recency
from tamis.home import prepare_home


class Plugin(BasePlugin):
    """Makes the home folder, without which DuckDB ends in a traceback, and the functions."""

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        prepare_home(Path(plugin_config["home"]).expanduser())

    def configure_connection(self, conn: DuckDBPyConnection) -> None:
        recency.register(conn)

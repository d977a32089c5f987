"""The dbt-duckdb plugin: what a plain `dbt build` needs before it can connect."""

from pathlib import Path
from typing import Any

from dbt.adapters.duckdb.plugins import BasePlugin

from tamis.home import prepare_home


class Plugin(BasePlugin):
    """Makes the home folder, without which DuckDB ends in a traceback (see profiles.yml)."""

    def initialize(self, plugin_config: dict[str, Any]) -> None:
        prepare_home(Path(plugin_config["home"]).expanduser())

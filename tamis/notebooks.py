"""Serve a packaged marimo notebook on a home's published build."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tamis.home import prepare_home, project_dir

if TYPE_CHECKING:
    import altair as alt
    import polars as pl

# What the notebooks draw of each rung.
LADDER = ("recall_at_10", "ndcg_at_10", "slot_waste_at_10")


def serve(home: Path, name: str, *, edit: bool, headless: bool, port: int | None) -> int:
    """Run a notebook's server until it is stopped, and return its exit code.

    Edited is a copy in `<home>/notebooks`, since nothing is ever written into the install.
    """
    prepare_home(home)
    path = project_dir() / "notebooks" / f"{name}.py"
    if edit:
        copy = home / "notebooks" / path.name
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        if not copy.exists():
            shutil.copyfile(path, copy)
        path = copy
    command = [sys.executable, "-m", "marimo", "edit" if edit else "run", str(path)]
    command += ["--headless"] * headless
    command += ["--port", str(port)] if port else []
    environment = {**os.environ, "TAMIS_HOME": str(home)}
    # marimo keeps its own settings: beside the notebooks, so that all goes with the home.
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        environment[name] = str(home / "notebooks" / "marimo")
    try:
        return subprocess.run(command, env=environment, cwd=home, check=False).returncode
    except KeyboardInterrupt:
        return 0


def ladder_chart(rungs: "pl.DataFrame") -> "alt.LayerChart":
    """Measures by rung, each with its interval.

    Args:
        rungs: rows of `tamis.evaluation.report.rung_rows`.
    """
    import altair as alt

    order = rungs["rung"].unique(maintain_order=True).to_list()
    base = alt.Chart(rungs).encode(
        x=alt.X("rung:N", sort=order, title=None), color=alt.Color("measure:N", title=None)
    )
    lines = base.mark_line(point=True).encode(
        y=alt.Y("mean:Q", title=None, scale=alt.Scale(domain=[0, 1])),
        tooltip=["measure", "rung", alt.Tooltip("mean:Q", format=".3f")],
    )
    bars = base.mark_rule().encode(y=alt.Y("low:Q", title=None), y2="high:Q")
    return (lines + bars).properties(width=520, height=280)


def nothing_published(home: Path) -> str:
    """What a notebook shows, as Markdown, of a home that has published no build."""
    return f"""
# Nothing is published yet

`{home}` holds no published build. Publish one, then reload this page:

- `tamis run` curates what your agents captured,
- `tamis --home {home} demo` tries it on packaged examples.
"""

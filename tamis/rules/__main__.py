"""`python -m tamis.rules` writes the macros and docs/rules.md of the packaged rows again."""

from pathlib import Path

from tamis.rules.documents import with_tables
from tamis.rules.render import render_rules

PROJECT = Path(__file__).resolve().parents[2]

if __name__ == "__main__":
    render_rules(PROJECT / "seeds", PROJECT / "macros" / "rules")
    page = PROJECT / "docs" / "rules.md"
    page.write_text(with_tables(page.read_text("utf-8"), PROJECT / "seeds"), "utf-8")

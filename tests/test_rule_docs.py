"""docs/rules.md says what the seeds say."""

import re
from pathlib import Path

import pytest

from tamis.rules.documents import MARK, code, prose, with_tables
from tamis.rules.rows import SEEDS, read_rows

PROJECT = Path(__file__).resolve().parents[1]
PAGE = (PROJECT / "docs" / "rules.md").read_text(encoding="utf-8")


def test_the_page_is_what_the_seeds_say() -> None:
    assert with_tables(PAGE, PROJECT / "seeds") == PAGE, "run `python -m tamis.rules`"


def test_every_row_of_every_seed_is_listed_once() -> None:
    assert {path.stem for path in (PROJECT / "seeds").glob("*.csv")} == set(SEEDS)
    sections = dict(
        zip(SEEDS, re.split(r"^## ", PAGE.partition(MARK)[2], flags=re.M)[1:], strict=True)
    )
    for name, section in sections.items():
        rows = read_rows(PROJECT / "seeds" / f"{name}.csv")
        lines = [line for line in section.splitlines() if line.startswith("| `")]
        assert section.startswith(name)
        assert len(lines) == len(rows)
        for row, line in zip(rows, lines, strict=True):
            assert line.startswith(f"| {code(next(iter(row.values())))} |")
            # Bars in cells are escaped, so that each line has five cells.
            assert len(re.findall(r"(?<!\\)\|", line)) == 6


def test_what_stands_above_the_mark_stays() -> None:
    page = with_tables("# Mine\n\nWords.\n", PROJECT / "seeds")
    assert page.startswith(f"# Mine\n\nWords.\n\n{MARK}\n\n## {SEEDS[0]}\n")
    assert with_tables(page, PROJECT / "seeds") == page


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("plain", "`plain`"),
        ("a|b", "`a\\|b`"),
        ("one\ntwo", "`one⏎two`"),
        ("`tick`", "`` `tick` ``"),
        ("a``b", "```a``b```"),
        (" lead", "`  lead `"),
        ("\u200bx\ufeff", "`\\u200bx\\ufeff`"),
        ("<b>{{ x }}", "`<b>{{ x }}`"),
        ("y" * 200, f"`{'y' * 159}…`"),
    ],
)
def test_code_in_a_cell_is_read_as_it_is(text: str, cell: str) -> None:
    assert code(text) == cell


def test_prose_in_a_cell_is_no_markup() -> None:
    assert prose("a *b* <c> [d](e) f|g `h` _i_") == (r"a \*b\* \<c\> \[d\](e) f\|g \`h\` \_i\_")

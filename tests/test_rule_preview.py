"""A candidate pattern on a published build, before it becomes a row."""

import csv
import io
from pathlib import Path

import pytest
from handmade_build import fact, rejection, source, write_build

from tamis.errors import TamisError
from tamis.rules.preview import by_source, marked, matches_in, row_to_paste, shown


@pytest.fixture
def build(home: Path) -> Path:
    facts = [fact("f1", "it's the port 7443"), fact("f2", "no number")]
    sources = [
        source("e1", "f1"),
        source("e2", "f1", "repeat", source_system="hive_mind", role="assistant"),
        source("e3", "f2"),
    ]
    refused = [rejection("r1", "port 8443"), rejection("r2", None), rejection("r3", "ok")]
    refused[0] |= {"match_position": None, "match_length": None}
    return write_build(home, facts, sources, refused)


def test_a_pattern_finds_kept_and_refused_events(build: Path) -> None:
    found = matches_in(build, "(?i)PORT ([0-9]+)$")
    columns = ("event_id", "rule_id", "refused_by_text", "match_position", "match_length")
    assert found.select(columns).rows() == [
        ("r1", "tool_traffic", False, 1, 9),
        ("e2", None, False, 10, 9),
        ("e1", None, False, 10, 9),
    ]
    assert by_source(found).rows() == [
        ("claude_code", 0, 1),
        ("hive_mind", 1, 0),
        ("openclaw", 1, 0),
    ]
    assert matches_in(build, "ok")["refused_by_text"].to_list() == [True]


def test_a_pattern_may_ask_for_a_role_or_a_source(build: Path) -> None:
    assert matches_in(build, "port", role="user")["event_id"].to_list() == ["e1"]
    assert matches_in(build, "port", source="hive_mind")["event_id"].to_list() == ["e2"]
    assert len(matches_in(build, "it's")) == 2


@pytest.mark.parametrize("pattern", ["", "a(?=b)", "(", "a{2000}"])
def test_a_pattern_that_no_rule_may_have_is_refused(build: Path, pattern: str) -> None:
    with pytest.raises(TamisError, match="can't be used") as caught:
        matches_in(build, pattern)
    assert "\n" not in str(caught.value)


def test_a_match_is_marked_and_markup_is_text() -> None:
    assert marked("a <b> & c", 3, 3) == "a <mark>&lt;b&gt;</mark> &amp; c"
    assert marked("<i>", None, None) == "&lt;i&gt;"
    assert marked(None, None, None) == ""
    far = marked("x" * 500 + "<hit>" + "y" * 500, 501, 5)
    assert far == f"… {'x' * 80}<mark>&lt;hit&gt;</mark>{'y' * 80} …"
    assert len(marked("z" * 5000, 1, 5000)) < 400


def test_what_is_shown_and_pasted_is_whole(build: Path) -> None:
    table = shown(matches_in(build, "port"), most=2)
    assert table.count("<tr>") == 2
    assert shown(matches_in(build, "nothing")) == "<p>none</p>"
    cells = {"rule_id": "a_rule", "pattern": 'a "quoted", one', "reason": "two\nlines"}
    assert list(csv.DictReader(io.StringIO(row_to_paste(cells)))) == [cells]

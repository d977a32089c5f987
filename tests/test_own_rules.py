"""The user's own rows of rules: laid over the packaged ones, tested as they are read, never kept in
the install."""

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from test_rules import over_texts, rule_ids

from tamis.errors import TamisError
from tamis.home import project_dir
from tamis.rules.own import KEYS, own_version, place_rules, rules_of, write_rules
from tamis.rules.rows import SEEDS, read_rows, read_seeds, rules_version

STANDUP = {
    "rule_id": "standup_bot",
    "pattern": "^Standup:",
    "reason": "A bot writes it every morning.",
    "example": "Standup: nothing new",
    "counter_example": "The standup moved to ten",
}
BADGE = {
    "pattern_id": "badge_number",
    "pattern": "\\bBADGE-[0-9]{6}\\b",
    "reason": "It opens the doors.",
    "example": "my badge is BADGE-123456",
    "counter_example": "BADGE-12 is a sample",
}
ALIAS = {
    "alias": "proj-atlas",
    "project_key": "git.example/acme/atlas",
    "reason": "The old name of the project.",
    "example": "[hm src:claude-code ws:proj-atlas] a frame",
    "counter_example": "[hm src:claude-code ws:proj-atlas-2] a frame",
}
EXCEPTION = {
    "exception_id": "vote",
    "pattern": "^(?:👍|👎)$",
    "reason": "We vote with them.",
    "example": "👍",
    "counter_example": "👍👍",
}
RUNBOOK = {
    "fact_type": "runbook",
    "event_kind": "prompt",
    "reason": "What our client injects is a runbook.",
    "example": "Restart the worker, then the queue",
    "counter_example": "We moved the service to port 7443",
}
COLOUR = {
    "guard_id": "colour",
    "guard": "colour",
    "pattern": "(?i:\\b(?:red|blue){1}\\b)",
    "compared": "itself",
    "reason": "A colour is what the label says.",
    "example": "The label is red | The label is blue",
    "counter_example": "The label is red | Red is the label",
}
GROUP = {
    "rule_id": "one_session",
    "source_system": "mem0",
    "event_kind": "memory",
    "pattern": "(?i)^summary\\b",
    "same_session": "true",
    "cover_rule": "same session",
    "reason": "Our agent writes one summary a session, several times.",
    "example": "Summary: the port moved",
    "counter_example": "The summary goes out on Fridays",
}
OWN = {
    "near_duplicate_guards": COLOUR,
    "grouping_rules": GROUP,
    "noise_rules": STANDUP,
    "secret_patterns": BADGE,
    "project_aliases": ALIAS,
    "kept_exceptions": EXCEPTION,
    "fact_types": RUNBOOK,
}


def write_rows(home: Path, name: str, *rows: Mapping[str, str]) -> Path:
    """A rule file of a home, with the columns that its rows name."""
    path = home / "rules" / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def rendered(home: Path) -> Path:
    """The macros of a home's rules."""
    assert place_rules(home) == home
    return home / "macros" / "rules"


def ids(rows: Sequence[Mapping[str, str]]) -> list[str]:
    return [next(iter(row.values())) for row in rows]


def test_an_added_rule_refuses_behind_the_packaged_ones(home: Path) -> None:
    write_rows(home, "noise_rules", STANDUP, {**STANDUP, "rule_id": "standup_again"})
    rules = rules_of(home)["noise_rules"]
    packaged = read_rows(project_dir() / "seeds" / "noise_rules.csv")
    assert ids(rules) == [*ids(packaged), "standup_bot", "standup_again"]
    places = [int(rule["priority"]) for rule in rules[-2:]]
    assert max(int(rule["priority"]) for rule in packaged) < places[0] < places[1]
    assert rules[-1]["category"] == "own_rule"
    bodies = ["Standup: all green", "The standup moved", "ok."]
    expected = ["standup_bot", None, "acknowledgement_en"]
    assert rule_ids(bodies, rules=rendered(home)) == expected


def test_a_priority_of_its_own_puts_a_rule_before_others(home: Path) -> None:
    first = {**STANDUP, "priority": "1", "pattern": "^(?:Standup:|ok)", "example": "ok then"}
    write_rows(home, "noise_rules", first)
    assert rule_ids(["ok."], rules=rendered(home)) == ["standup_bot"]


def test_a_rule_may_ask_for_more_than_a_text(home: Path) -> None:
    row = {
        "rule_id": "codex_banner",
        "condition": "source_system = 'codex' and role = 'assistant'",
        "pattern": "^Working on it",
        "reason": "It says so before every answer.",
        "example": "Working on it",
        "counter_example": "I am working on it",
        "example_fields": '{"source_system": "codex", "role": "assistant"}',
    }
    write_rows(home, "noise_rules", row)
    fields: list[dict[str, object]] = [json.loads(row["example_fields"]), {}]
    assert rule_ids(["Working on it"] * 2, fields, rendered(home)) == ["codex_banner", None]


def test_a_replaced_rule_keeps_what_its_row_leaves_out(home: Path) -> None:
    packaged = {row["rule_id"]: row for row in read_rows(project_dir() / "seeds/noise_rules.csv")}
    replaced = {
        "rule_id": "generic_reply",
        "pattern": "^Shall I go on\\?$",
        "reason": "Only this one.",
        "example": "Shall I go on?",
        "counter_example": "Anything else?",
    }
    write_rows(home, "noise_rules", replaced)
    rules = rules_of(home)["noise_rules"]
    row = next(row for row in rules if row["rule_id"] == "generic_reply")
    assert len(rules) == len(packaged)
    for column in ("priority", "category", "condition", "staged_as"):
        assert row[column] == packaged["generic_reply"][column]
    found = rule_ids(
        ["Shall I go on?", "Anything else?"], [{"role": "assistant"}] * 2, rendered(home)
    )
    assert found == ["generic_reply", None]


def test_a_rule_is_switched_off_with_a_reason_alone(home: Path) -> None:
    off = {"rule_id": "emoji_only", "is_active": "false", "reason": "We vote with emoji."}
    write_rows(home, "noise_rules", off, {**STANDUP, "is_active": "true"})
    assert "emoji_only" not in ids(rules_of(home)["noise_rules"])
    found = rule_ids(["👍", "ok", "Standup: nothing"], rules=rendered(home))
    assert found == [None, "acknowledgement_en", "standup_bot"]


def test_a_secret_pattern_redacts_with_and_without_a_kind(home: Path) -> None:
    kept = {**BADGE, "pattern_id": "door", "pattern": "(door )[0-9]{4}", "example": "door 1234"}
    kept |= {"kind": "pin", "replacement": "\\1[REDACTED:pin]", "contains": "door"}
    write_rows(home, "secret_patterns", BADGE, kept)
    texts = ["my badge is BADGE-123456", "door 9876", "door number 9"]
    macros = rendered(home)
    assert over_texts("redact_secrets('body')", texts, macros) == [
        "my badge is [REDACTED:badge_number]",
        "door [REDACTED:pin]",
        "door number 9",
    ]
    assert over_texts("secret_kinds('body')", texts, macros) == [["badge_number"], ["pin"], []]


def test_an_exception_of_ones_own_keeps_a_text(home: Path) -> None:
    write_rows(home, "kept_exceptions", EXCEPTION)
    assert rule_ids(["👍", "👍👍"], rules=rendered(home)) == [None, "emoji_only"]


def test_rows_that_only_tables_hold_are_laid_over_too(home: Path) -> None:
    policy = {
        "policy_id": "time_window",
        "is_default": "true",
        "reason": "One sitting is one statement.",
        "example": "The same body 20 s later",
        "counter_example": "The same body 40 s later",
    }
    write_rows(home, "project_aliases", ALIAS)
    write_rows(home, "fact_types", RUNBOOK)
    write_rows(home, "dedup_policies", policy)
    rules = rules_of(home)
    assert rules["project_aliases"][-1]["project_key"] == "git.example/acme/atlas"
    assert rules["fact_types"][-1] == {"role": "", "salience": "5", **RUNBOOK}
    default = [row["policy_id"] for row in rules["dedup_policies"] if row["is_default"] == "true"]
    assert default == ["time_window"], "a user's default ends the packaged one"
    place_rules(home)
    assert {path.stem for path in (home / "seeds").iterdir()} == set(SEEDS)


def test_what_a_grouping_row_leaves_out_need_not_be_the_same(home: Path) -> None:
    write_rows(home, "grouping_rules", GROUP)
    row = rules_of(home)["grouping_rules"][-1]
    assert (row["same_session"], row["same_instant"], row["same_title"]) == (
        "true",
        "false",
        "false",
    )


def test_a_trial_is_laid_over_the_homes_rows_and_not_kept(home: Path, tmp_path: Path) -> None:
    write_rows(home, "noise_rules", STANDUP)
    trial = write_rows(
        tmp_path / "trial",
        "noise_rules",
        {**STANDUP, "pattern": "^Stand-up:", "example": "Stand-up: nothing"},
        {**STANDUP, "rule_id": "another"},
    ).rename(tmp_path / "any name.csv")
    write_rules(rules_of(home, trial), tmp_path / "tried")
    bodies = ["Standup: x", "Stand-up: x"]
    tried = rule_ids(bodies, rules=tmp_path / "tried" / "macros" / "rules")
    assert tried == ["another", "standup_bot"]
    assert rule_ids(bodies, rules=rendered(home)) == ["standup_bot", None]


def test_the_version_is_of_what_rows_say(home: Path) -> None:
    assert own_version(home) is None
    path = write_rows(home, "noise_rules", STANDUP)
    first = own_version(home)
    assert first != rules_version(project_dir() / "seeds")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\r\n", b"\n"))
    assert own_version(home) == first
    write_rows(home, "noise_rules", {**STANDUP, "reason": "Another one."})
    assert own_version(home) != first
    assert read_seeds(home / "seeds") == rules_of(home) if place_rules(home) else False


def test_without_rows_of_ones_own_nothing_is_written(home: Path) -> None:
    assert place_rules(home) is None
    assert not home.exists()
    path = write_rows(home, "noise_rules", STANDUP)
    place_rules(home)
    path.unlink()
    (home / "rules" / ".noise_rules.csv.swp").write_text("an editor's")
    (home / "rules" / "notes.txt").write_text("not a rule")
    assert place_rules(home) is None
    assert sorted(entry.name for entry in home.iterdir()) == ["rules"]


def test_what_is_right_already_is_not_written_again(home: Path) -> None:
    write_rows(home, "noise_rules", STANDUP)
    place_rules(home)
    written = {path: path.stat().st_mtime_ns for path in home.rglob("*") if path.is_file()}
    place_rules(home)
    assert {path: path.stat().st_mtime_ns for path in written} == written


@pytest.mark.parametrize(
    ("name", "change", "told"),
    [
        ("noise_rules", {"reason": ""}, "has no reason"),
        ("noise_rules", {"example": " "}, "has no example"),
        ("noise_rules", {"counter_example": ""}, "has no counter_example"),
        ("noise_rules", {"example": "Nothing new"}, "does not match its own example"),
        ("noise_rules", {"counter_example": "Standup: x"}, "matches its own counter-example"),
        ("noise_rules", {"pattern": ""}, "tests nothing"),
        ("noise_rules", {"pattern": "^Standup(?=:)"}, "lookaround"),
        ("noise_rules", {"pattern": "^(Standup:"}, "bad pattern"),
        ("noise_rules", {"condition": "rolle = 'user'"}, "bad condition"),
        ("noise_rules", {"condition": "true -- "}, "bad condition"),
        ("noise_rules", {"condition": "body::integer > 1"}, "can't be tested"),
        (
            "noise_rules",
            {"condition": "body::integer > 1", "pattern": "", "example": "2"},
            "can't be tested",
        ),
        ("noise_rules", {"condition": "max(body) > 'a'"}, "aggregates"),
        ("noise_rules", {"condition": "row_number() over () > 0"}, "window functions"),
        ("noise_rules", {"condition": "(select 1) = 1"}, "more than its event (a query)"),
        ("noise_rules", {"condition": "random() < 2"}, "more than its event (random)"),
        ("noise_rules", {"condition": "now() is not null"}, "more than its event (now)"),
        ("noise_rules", {"priority": "10"}, "repeats priority 10"),
        ("noise_rules", {"priority": "first"}, "has no whole number as priority"),
        ("noise_rules", {"rule_id": "Stand up"}, "bad rule_id"),
        ("noise_rules", {"rule_id": ""}, "has no rule_id"),
        ("noise_rules", {"category": "Own rule"}, "bad category"),
        ("noise_rules", {"staged_as": "turn"}, "staged as turn"),
        ("noise_rules", {"example_fields": '{"rolle": 1}'}, "bad example_fields"),
        (
            "noise_rules",
            {"condition": "not is_wrapped", "example_fields": '{"is_wrapped": "perhaps"}'},
            "can't be tested",
        ),
        ("noise_rules", {"is_active": "no"}, "bad is_active"),
        ("noise_rules", {"is_active": "false"}, "switches off what is not packaged"),
        ("noise_rules", {"is_active": "false", "rule_id": "emoji_only", "reason": ""}, "no reason"),
        ("noise_rules", {"patern": "x"}, "unknown column 'patern'"),
        (
            "noise_rules",
            {"pattern": "^API Error", "example": "API Error: 529 means overload"},
            "sentence_about_an_api_error keeps",
        ),
        ("secret_patterns", {"example": "my badge"}, "does not match its own example"),
        ("secret_patterns", {"counter_example": "BADGE-654321"}, "its own counter-example"),
        ("secret_patterns", {"contains": "CARD"}, "without a literal"),
        ("secret_patterns", {"replacement": "gone"}, "doesn't name its kind"),
        ("secret_patterns", {"pattern": "[A-Z]+", "counter_example": "door"}, "what it writes"),
        ("secret_patterns", {"pattern": ""}, "it is empty"),
        ("kept_exceptions", {"example": "👎👎"}, "does not match its own example"),
        ("kept_exceptions", {"counter_example": "👎"}, "its own counter-example"),
        ("project_aliases", {"project_key": ""}, "has no project_key"),
        ("project_aliases", {"example": "proj-atlas-2"}, "does not match its own example"),
        ("project_aliases", {"counter_example": "proj-atlas"}, "its own counter-example"),
        ("near_duplicate_guards", {"example": "A red label"}, "has no pair as example"),
        ("near_duplicate_guards", {"example": "a car | a house"}, "match its own example"),
        ("near_duplicate_guards", {"counter_example": "red | blue"}, "its own counter-example"),
        ("grouping_rules", {"same_session": "yes"}, "bad same_session"),
        ("grouping_rules", {"same_session": ""}, "groups by nothing"),
        ("grouping_rules", {"same_session": "", "least_similarity": "most"}, "least_similarity"),
        ("grouping_rules", {"cover_rule": ""}, "has no cover_rule"),
        ("grouping_rules", {"example": "The port moved"}, "does not match its own example"),
        ("fact_types", {"salience": "11"}, "bad salience: use a whole number from 1 to 10"),
        ("fact_types", {"event_kind": ""}, "has no event_kind"),
        ("fact_types", {"event_kind": "turn", "role": "user"}, "as user_statement"),
        ("fact_types", {"event_kind": "turn"}, "types the same events"),
    ],
)
def test_a_bad_row_is_one_line_with_file_row_and_remedy(
    home: Path, name: str, change: dict[str, str], told: str
) -> None:
    good = OWN[name]
    write_rows(home, name, good)
    place_rules(home)
    stood = {path: path.read_bytes() for path in (home / "seeds").iterdir()}
    path = write_rows(home, name, {**good, **change})
    with pytest.raises(TamisError) as caught:
        place_rules(home)
    message = str(caught.value)
    assert told in message
    assert message.startswith(str(path)) and "\n" not in message
    assert "row 1" in message or "column" in message
    assert message.rpartition(": ")[2], "a remedy comes last"
    assert caught.value.exit_code == 2
    assert {path: path.read_bytes() for path in stood} == stood


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("noise_rule.csv", b"rule_id\n", "is no rule file: name it one of noise_rules.csv"),
        ("NOISE_RULES.CSV", b"rule_id\n", "is no rule file"),
        ("noise_rules.csv", b"pattern,reason\nx,y\n", "has no column rule_id"),
        ("noise_rules.csv", b"rule_id,reason\nx\n", "not one cell a column"),
        ("noise_rules.csv", b"rule_id,reason\nx,y,z\n", "not one cell a column"),
        ("noise_rules.csv", b"rule_id,reason\nx,\xff\n", "can't be read as a CSV file"),
        ("noise_rules.csv", b"rule_id,rule_id,reason\nx,y,z\n", "column 'rule_id' twice"),
        ("noise_rules.csv", b'rule_id,reason\nx,"open\n', "can't be read as a CSV file"),
        (
            "noise_rules.csv",
            b"rule_id,is_active,reason\nemoji_only,false,a\nemoji_only,false,b\n",
            "row 2 (emoji_only) repeats rule_id",
        ),
    ],
)
def test_a_broken_file_is_one_line(home: Path, name: str, content: bytes, told: str) -> None:
    (home / "rules").mkdir(parents=True)
    (home / "rules" / name).write_bytes(content)
    with pytest.raises(TamisError) as caught:
        rules_of(home)
    assert told in str(caught.value) and "\n" not in str(caught.value)
    assert str(home / "rules" / name) in str(caught.value)
    assert caught.value.exit_code == 2


def test_what_is_no_file_is_not_waited_for(home: Path) -> None:
    (home / "rules").mkdir(parents=True)
    path = home / "rules" / "noise_rules.csv"
    for make in (os.mkfifo, Path.mkdir, lambda place: place.symlink_to("/dev/zero")):
        make(path)
        with pytest.raises(TamisError, match="is no file"):
            rules_of(home)
        path.rmdir() if path.is_dir() else path.unlink()


@pytest.mark.parametrize("name", SEEDS)
def test_some_row_of_every_seed_stays(home: Path, name: str) -> None:
    rows = read_seeds(project_dir() / "seeds")[name]
    keys = KEYS.get(name, (next(iter(rows[0])),))
    off = [{**{key: row[key] for key in keys}, "is_active": "false", "reason": "x"} for row in rows]
    write_rows(home, name, *off)
    with pytest.raises(TamisError, match=f"switches every row of {name} off: keep one"):
        rules_of(home)


def test_an_empty_file_adds_nothing(home: Path) -> None:
    (home / "rules").mkdir(parents=True)
    for content in ("", "rule_id,reason\n"):
        (home / "rules" / "noise_rules.csv").write_text(content)
        assert rules_of(home) == read_seeds(project_dir() / "seeds")


def test_the_documented_row_switches_a_rule_off(home: Path) -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "rules.md").read_text()
    block = page.partition("```text\n")[2].partition("```")[0]
    rows = list(csv.DictReader(io.StringIO(block)))
    write_rows(home, "noise_rules", *rows)
    assert rows[0]["rule_id"] not in ids(rules_of(home)["noise_rules"])

"""The user's own rows on a built home: the next run judges by them, and says so everywhere."""

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from command_line import run_tamis
from test_own_rules import ALIAS, write_rows
from test_pipeline import marts, stable_rows

from tamis.home import project_dir

READERS = ("facts", "fact_sources", "rejections", "sessions", "projects", "curation_summary")
CHANGELOG_RULE = {
    "rule_id": "changelog_talk",
    "category": "own_talk",
    "pattern": "(?i)\\bOpenAPI/v3[.]yaml\\b",
    "reason": "What the schema's file is called is written in the repository.",
    "example": "See openapi/v3.yaml",
    "counter_example": "See openapi/v3",
}
PEANUTS = {
    "pattern_id": "allergy",
    "pattern": "\\bpeanuts?\\b",
    "reason": "Health is nobody's business.",
    "example": "allergic to peanuts",
    "counter_example": "allergic to pea nuts",
}


@pytest.fixture(scope="module")
def home(demo: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the demo's home, with rows of the user's own, before its next run."""
    home = tmp_path_factory.mktemp("own") / "home"
    shutil.copytree(demo[0], home)
    off = {"rule_id": "emoji_only", "is_active": "false", "reason": "We vote with emoji."}
    replaced = {
        "rule_id": "generic_reply",
        "pattern": "^Anything else\\?$",
        "reason": "Only this one is empty talk.",
        "example": "Anything else?",
        "counter_example": "Would you like me to continue?",
    }
    write_rows(home, "noise_rules", CHANGELOG_RULE, off, replaced)
    write_rows(home, "secret_patterns", PEANUTS)
    write_rows(home, "project_aliases", {**ALIAS, **moved("proj-api-hotfix")})
    return home


def moved(name: str) -> dict[str, str]:
    return {"alias": name, "project_key": "acme/hotfix", "example": f"ws:{name}"}


def mart(home: Path, name: str) -> pl.DataFrame:
    return pl.read_parquet(marts(home) / f"{name}.parquet")


def files_of_the_project() -> dict[Path, int]:
    return {
        path: path.stat().st_mtime_ns
        for part in ("macros", "models", "seeds")
        for path in (project_dir() / part).rglob("*")
    }


def explained(home: Path, *events: dict[str, Any], rules: Path | None = None) -> list[Any]:
    options = ["--rules", rules] if rules else []
    lines = "\n".join(json.dumps(event) for event in events)
    done = run_tamis("--home", home, "explain", *options, input=lines)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_explain_judges_by_the_homes_rows_at_once_and_by_a_file_that_is_tried(
    home: Path, tmp_path: Path
) -> None:
    text = "the spec is openapi/v3.yaml, 👍"
    trial = write_rows(
        tmp_path,
        "noise_rules",
        {
            "rule_id": "spec",
            "priority": "1",
            "pattern": "spec",
            "reason": "Tried.",
            "example": "a spec",
            "counter_example": "none",
        },
    )
    events = [
        {"content": f"[hm session:s src:x event:stop] {text}", "cwd": "/srv/acme/api"},
        {"content": "👍"},
        {"content": "no peanuts", "metadata": {"project_name": "proj-api-hotfix"}},
    ]
    whole, emoji, secret = explained(home, *events)
    assert whole["noise_rule"] == "changelog_talk"
    assert (whole["category"], whole["reason"]) == ("own_talk", CHANGELOG_RULE["reason"])
    start, length = whole["match_position"], whole["match_length"]
    assert text[start - 1 : start - 1 + length] == "openapi/v3.yaml"
    assert whole["steps"] == ["header"]
    assert whole["step_lengths"] == [f"{len(events[0]['content'])} → {len(text)}"]
    assert (whole["project_key"], whole["project_found_by"]) == ("acme/api", "folder")
    assert emoji["noise_rule"] is None
    assert (secret["body"], secret["secret_kinds"]) == ("no [REDACTED:allergy]", ["allergy"])
    assert (secret["project_key"], secret["project_found_by"]) == ("acme/hotfix", "alias")
    tried = explained(home, *events, rules=trial)
    assert [verdict["noise_rule"] for verdict in tried] == ["spec", None, None]
    assert tried[0]["match_position"] == 5
    assert tried[0]["rules_version"] != whole["rules_version"]
    trial.write_text(trial.read_text().replace("a spec", "nothing"))
    done = run_tamis("--home", home, "explain", "--rules", trial, input='{"content": "x"}')
    assert (done.returncode, done.stdout) == (2, "")
    assert "does not match its own example" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def run(home: Path, captures: Path) -> dict[str, Any]:
    done = run_tamis("--home", home, "--json", "run", "--from", captures)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)["run"]
    return found


def test_the_next_run_judges_by_the_rows_and_going_back_undoes_it(
    demo: tuple[Path, str], home: Path, captures: Path
) -> None:
    project = files_of_the_project()
    assert run(home, captures)["changed"]
    assert files_of_the_project() == project, "nothing is written into the install"
    assert not run(home, captures)["changed"]
    check_what_the_rows_did(home, mart(demo[0], "curation_summary")["rules_version"][0])

    published = (home / "published" / "CURRENT").read_text()
    write_rows(home, "noise_rules", {**CHANGELOG_RULE, "example": "nothing like it"})
    for arguments in (("build",), ("explain",), ("run", "--from", captures)):
        done = run_tamis("--home", home, *arguments, input='{"content": "x"}')
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert "noise_rules.csv: row 1 (changelog_talk) does not match" in done.stderr
    assert (home / "published" / "CURRENT").read_text() == published
    assert "does not match its own example" in run_tamis("--home", home, "status").stdout

    shutil.rmtree(home / "rules")
    assert run(home, captures)["changed"]
    assert not (home / "macros").exists() and not (home / "seeds").exists()
    # The demo's build was a full one: no text had to be normalised anew for any rule.
    for name in READERS:
        assert stable_rows(home, name) == stable_rows(demo[0], name), name


def check_what_the_rows_did(home: Path, packaged_version: str) -> None:
    rejections, facts = mart(home, "rejections"), mart(home, "facts")
    summary = mart(home, "curation_summary")
    refused = rejections.filter(pl.col("rule_id") == "changelog_talk")
    assert len(refused) >= 4
    assert set(refused["category"]) == {"own_talk"}
    assert set(refused["reason"]) == {CHANGELOG_RULE["reason"]}
    for row in refused.iter_rows(named=True):
        start = row["match_position"] - 1
        assert row["text"][start : start + row["match_length"]] == "openapi/v3.yaml"
    assert not facts.filter(pl.col("text").str.contains("openapi/v3.yaml")).height
    own_talk = summary.filter(pl.col("reason") == "own_talk")["event_count"].sum()
    assert own_talk == len(refused)
    assert packaged_version not in set(summary["rules_version"])
    assert "👍" in set(facts["text"]), "a rule that is off refuses nothing"
    offers = rejections.filter(pl.col("rule_id") == "generic_reply")
    assert set(offers["text"]) == {"Anything else?"}
    assert set(offers["reason"]) == {"Only this one is empty talk."}
    assert facts.filter(pl.col("text").str.contains(r"\[REDACTED:allergy\]")).height
    assert not facts.filter(pl.col("text").str.contains("peanut")).height
    aliased = mart(home, "fact_sources").filter(pl.col("project_found_by") == "alias")
    assert set(aliased["project_key"]) == {"acme/hotfix"}
    row = refused.row(0, named=True)
    told = run_tamis("--home", home, "why", row["event_id"]).stdout
    assert "was refused by changelog_talk (own_talk)" in told
    assert CHANGELOG_RULE["reason"] in told
    assert f"characters {row['match_position']} to " in told and ": openapi/v3.yaml" in told
    assert f"judged by the rules {summary['rules_version'][0][:12]}" in told
    assert "changelog_talk" in (home / "seeds" / "noise_rules.csv").read_text()


def test_why_tells_every_step_of_an_event(demo: tuple[Path, str]) -> None:
    rows = mart(demo[0], "fact_sources")
    stepped = rows.filter(pl.col("steps").list.len() > 1).row(0, named=True)
    told = run_tamis("--home", demo[0], "why", stepped["event_id"]).stdout
    for step, length in zip(stepped["steps"], stepped["step_lengths"], strict=True):
        assert f"{step} {length}" in told
    named = f"{stepped['project_key']}, known by {stepped['project_found_by']}"
    assert (named if stepped["project_found_by"] else stepped["project_key"]) in told
    covered = rows.filter(pl.col("cover_rule").is_not_null()).row(0, named=True)
    told = run_tamis("--home", demo[0], "why", covered["event_id"]).stdout
    assert f"by {covered['covered_by_event_id']} ({covered['cover_rule']})" in told
    secret = rows.filter(pl.col("secret_kinds").list.len() > 0).row(0, named=True)
    assert (
        secret["secret_kinds"][0] in run_tamis("--home", demo[0], "why", secret["event_id"]).stdout
    )

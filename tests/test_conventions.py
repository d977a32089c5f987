"""The conventions of the dbt project, read from its manifest and from an empty build of it."""

import csv
import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import duckdb
import pytest
import yaml

PROJECT = Path(__file__).resolve().parents[1]
LONGEST_MODEL = 60
MOST_PARENTS = 4
# From a source's rows to statements, by operations to versions of facts, and to pairs of facts.
LONGEST_CHAIN = 18
# fmt: off
EVENT_COLUMNS = [
    "event_id", "source_system", "source_entity", "native_id", "part", "parent_native_id",
    "session_key", "session_id", "turn_id", "agent_id", "user_id", "role", "event_kind",
    "trigger_kind", "cwd", "git_branch", "content", "occurred_at", "landed_at", "record_id",
    "metadata",
]
# fmt: on
CHANGE_COLUMNS = [
    "change_id",
    "source_system",
    "target_native_id",
    "replacement_native_id",
    "kind",
    "reason",
    "actor",
    "occurred_at",
    "metadata",
]  # fmt: skip
ROLES_OF_NAMES = {
    "staging": r"stg_[a-z0-9_]+?__[a-z_]+s",
    "intermediate": r"int_[a-z]+(_[a-z]+)*_([a-z]+ed|hashed)",
    "marts": r"export_[a-z_]+|[a-z]+(_[a-z]+)*(s|_summary|_history)",
}
READABLE_LAYERS = {
    "staging": {"source", "staging"},
    "intermediate": {"staging", "intermediate", "seed"},
    "marts": {"intermediate", "marts", "seed"},
}
# Longer than a screen, and why it is not cut in two.
LONG_MODELS = {
    "stg_claude_code__history_events": "an event's 21 columns, and what was typed",
    "stg_claude_code__memory_events": "an event's 21 columns, and the folder of a slug",
    "stg_openclaw__memory_events": "an event's 21 columns, of notes and of copied messages",
    "stg_openclaw__session_excerpts": "messages are found in lines and cut out of bundles",
    "stg_claude_code__events": "an event's 21 columns, and the blocks of a line",
    "stg_openclaw__events": "an event's 21 columns, the blocks of a line and queued messages",
    "stg_openclaw__sessions": "six places tell of a session",
    "stg_codex__events": "an event's 21 columns, from rollouts and from the prompt history",
    "stg_codex__texts": "a line's texts, the place that holds for them, and their second writing",
    "stg_codex__replays": "who descends from whom, and which lines came along",
    "stg_codex__changes": "rollbacks nest, so each turn needs the depth at which it stood",
    "stg_hive_mind__events": "an event's 21 columns, the tokens of a header and what is erased",
    "stg_claude_mem__events": "an event's 21 columns, from four kinds of row",
    "stg_claude_mem__prompts": "two tables of prompts, and which of them were handed in again",
    "stg_claude_mem__queued_messages": "four texts of a row, and the clock that heals it",
    "stg_claude_mem__sessions": "sessions by their newest state, and where they began",
    "stg_claude_mem__statements": "an observation's columns of every age, and its statements",
    "stg_mem0__changes": "three operations, each told by what it ends and begins",
    "stg_mem0__events": "an event's 21 columns, from memories, states and messages",
    "stg_mem0__memories": "a memory's fields in the spellings of five stores",
    "stg_mem0__states": "a history's columns, and the state that each row ends",
    "stg_lethe__changesets": "a changeset's 24 columns, and whether it was ever rewritten",
    "stg_lethe__events": "an event's 21 columns, from the log, sessions, operations and answers",
    "stg_dream_facts__events": "an event's 21 columns, and the columns that a store may have",
    "stg_dream_facts__changes": "the columns that a store may have, by each of their names",
    "stg_mcp_memory__memories": "three shapes of a line, and one of their memories",
    "stg_mcp_memory__changes": "what a state of a file held, and what a change says of it",
    "stg_letta__parts": "what a part is, in the two ways in which agents speak",
    "stg_letta__events": "an event's 21 columns, of messages and of blocks",
    "stg_basic_memory__notes": "a note's columns, and what it is known by through moves",
    "stg_basic_memory__events": "an event's 21 columns, of notes and of what they hold",
    "stg_aider__blocks": "one CTE per step from a text to its lines and to blocks of them",
    "stg_specstory__parts": "one CTE per step from a section to its parts",
    "int_events_unioned": "the newest sighting of each event, and what all of them say",
    "int_events_ordered": "a walk from parent to child, and what keeps it short",
    "int_events_normalized": "what is new of what was given, and two turns of the ladder",
    "int_events_classified": "the hub: what later models need to know of an event, and no text",
    "stg_openclaw__hook_events": "an event's 21 columns",
    "stg_openclaw__pending_inputs": "an event's 21 columns",
    "stg_hive_mind__archived_items": "an event's 21 columns",
    "stg_hive_mind__changes": "two kinds of operation, and a frame's newest state",
    "stg_hive_mind__erasures": "two places tell of an erased subject",
    "int_events_keyed": "speakers, folders and names, each looked at once, and which counts",
    "int_folders_placed": "a repository's root, worktree and submodule, each by its own evidence",
    "sessions": "a session's columns, as events tell them",
    "projects": "a project's folders, worktrees and names",
    "int_events_placed": "where a session began, and what other captures note of a folder",
    "int_events_covered": "six ways to be covered, and one answer",
    "int_captures_merged": "one window, cut by time, by turn of speech and by project",
    "int_statements_resolved": "an event's statement needs its root, its capture and its project",
    "int_changes_targeted": "what an operation may mean, and what forbids to take it for that",
    "int_changes_resolved": "from targets to statements, and who still says them at that time",
    "int_statements_moved": "five ways to begin or to end, in one order",
    "int_facts_versioned": "a statement's turns, its versions and what took their place",
    "int_events_deduplicated": "which version an event supports, and who stands for it",
    "fact_corrections": "what ended, reopened, moved or changed nothing, and who decided",
    "int_events_restated": "one CTE per step from texts to pairs and from pairs to the first",
    "int_events_grouped": "two ways to belong to a group, and who stands for it",
    "int_histories_projected": "six tables of one database, each as rows of one form",
    "facts": "the contract's 32 columns",
}
# More parents than most, and what each of them is for.
MANY_PARENTS = {
    "int_histories_projected": "a history is told by six tables of one database",
    "stg_claude_mem__events": "four kinds of row and the sessions that place them",
    "stg_tamis__records": "every entity that can hold events",
    "stg_tamis__sightings": "the union reads every source",
    "int_events_classified": "the hub brings order, body, keys and hash together",
    "stg_lethe__events": "a memory is told by the log, sessions, operations and answers",
    "stg_hive_mind__events": "frames, their archive, their sessions and what was erased",
    "stg_openclaw__events": "three tables hold lines, and hooks and waiting inputs beside them",
    "stg_openclaw__sessions": "six places tell of a session",
    "rejections": "beside what tells of an event, its rule and where that matched",
    "projects": "its folders, keys, names and aliases stand in models of their own",
    "sessions": "its names, keys, verdicts and turns stand in models of their own",
    "facts": "a fact is told by its verdict, version, event, body, keys and type",
    "stg_tamis__changes": "a union of every source's operations",
    "fact_corrections": "operations, what they name and reach, and the versions that came of it",
}


@dataclass(frozen=True)
class Build:
    """An empty build: dbt's manifest, each model's columns, each invariant's first column."""

    manifest: dict
    columns: dict[str, dict[str, str]]
    first_columns: dict[str, str]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    home = tmp_path_factory.mktemp("home")
    places = {"TAMIS_HOME": home, "DBT_TARGET_PATH": home / "target", "DBT_LOG_PATH": home / "logs"}
    command = [
        sys.executable,
        "-m",
        "dbt.cli.main",
        "build",
        "--exclude-resource-type",
        "unit_test",
    ]
    run = subprocess.run(
        command,
        cwd=PROJECT,
        env={**os.environ, **{name: str(place) for name, place in places.items()}},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    manifest = json.loads((home / "target" / "manifest.json").read_text(encoding="utf-8"))
    columns: dict[str, dict[str, str]] = {}
    with duckdb.connect(str(home / "tamis.duckdb"), read_only=True) as warehouse:
        for schema, table, column, kind in warehouse.execute(
            "select table_schema, table_name, column_name, data_type "
            "from information_schema.columns order by table_name, ordinal_position"
        ).fetchall():
            if schema in READABLE_LAYERS:
                columns.setdefault(table, {})[column] = kind
        compiled = home / "target" / "compiled" / "tamis" / "tests" / "invariants"
        first_columns = {
            file.stem: warehouse.sql(file.read_text(encoding="utf-8")).columns[0]
            for file in compiled.glob("*.sql")
        }
    return Build(manifest, columns, first_columns)


def models_of(build: Build) -> list[dict]:
    return [node for node in build.manifest["nodes"].values() if node["resource_type"] == "model"]


def layer_of(node: dict) -> str:
    """A model's folder, or what else it is: source, seed."""
    return node["fqn"][1] if node["resource_type"] == "model" else node["resource_type"]


def parents_of(build: Build, node: dict) -> list[dict]:
    known = {**build.manifest["nodes"], **build.manifest["sources"]}
    return [known[parent] for parent in node["depends_on"]["nodes"]]


def source_of(name: str) -> str:
    return name.removeprefix("stg_").split("__")[0]


def test_a_models_name_tells_its_layer(build: Build) -> None:
    assert [
        model["name"]
        for model in models_of(build)
        if not re.fullmatch(ROLES_OF_NAMES[layer_of(model)], model["name"])
    ] == []


def test_a_layer_reads_only_what_it_may(build: Build) -> None:
    wrong = [
        (model["name"], parent["name"])
        for model in models_of(build)
        for parent in parents_of(build, model)
        if layer_of(parent) not in READABLE_LAYERS[layer_of(model)]
    ]
    assert wrong == []


def test_staging_reads_no_staging_of_another_source(build: Build) -> None:
    wrong = [
        (model["name"], parent["name"])
        for model in models_of(build)
        if layer_of(model) == "staging" and not model["name"].startswith("stg_tamis__")
        for parent in parents_of(build, model)
        if layer_of(parent) == "staging" and source_of(parent["name"]) != source_of(model["name"])
    ]
    assert wrong == []


def test_every_staging_model_of_events_has_the_standard_columns_in_their_order(
    build: Build,
) -> None:
    events = {
        name: list(columns)
        for name, columns in build.columns.items()
        if re.fullmatch(r"stg_\w+__(\w+_)?events", name)
    }
    assert events
    assert events == dict.fromkeys(events, EVENT_COLUMNS)


def test_every_staging_model_of_changes_has_the_standard_columns_in_their_order(
    build: Build,
) -> None:
    changes = {
        name: list(columns)
        for name, columns in build.columns.items()
        if re.fullmatch(r"stg_\w+__changes", name)
    }
    assert changes == dict.fromkeys(changes, CHANGE_COLUMNS)


def test_a_columns_name_tells_its_type(build: Build) -> None:
    wrong = []
    for model, columns in build.columns.items():
        for column, kind in columns.items():
            told = {
                "TIMESTAMP": column.endswith(("_at", "t_valid", "t_invalid")),
                "BOOLEAN": column.startswith(("is_", "has_")),
                "DOUBLE": column.endswith("_score") or column == "confidence",
                "BIGINT": not column.endswith(("_id", "_at", "_score"))
                and not column.startswith(("is_", "has_")),
                "VARCHAR": not column.endswith(("_at", "_count", "_score"))
                and not column.startswith(("is_", "has_")),
                "VARCHAR[]": column.endswith("s"),
            }
            if not told.get(kind, False):
                wrong.append((model, column, kind))
    assert wrong == []


def test_every_description_begins_with_the_models_grain(build: Build) -> None:
    grainless = {
        model["name"]
        for model in models_of(build)
        if not model["description"].startswith("One row per ")
    }
    assert grainless == set()


def test_every_column_is_described_as_it_is_built(build: Build) -> None:
    wrong = {}
    for model in models_of(build):
        described = {name for name, column in model["columns"].items() if column["description"]}
        if difference := described ^ set(build.columns[model["name"]]):
            wrong[model["name"]] = sorted(difference)
    assert wrong == {}


def test_what_is_described_is_a_model() -> None:
    described = {
        model["name"]
        for file in (PROJECT / "models").glob("*/*.yml")
        for model in yaml.safe_load(file.read_text(encoding="utf-8")).get("models", [])
    }
    assert described - {file.stem for file in (PROJECT / "models").rglob("*.sql")} == set()


def test_every_model_behind_staging_has_a_unique_key_that_is_never_null(build: Build) -> None:
    checks: dict[str, dict[str, set[str]]] = {}
    for node in build.manifest["nodes"].values():
        check = node.get("test_metadata") or {}
        if check.get("name") in ("unique", "not_null"):
            model = build.manifest["nodes"][node["attached_node"]]["name"]
            columns = checks.setdefault(model, {})
            columns.setdefault(node["column_name"], set()).add(check["name"])
    keyless = {
        model["name"]
        for model in models_of(build)
        if layer_of(model) != "staging"
        and {"unique", "not_null"} not in checks.get(model["name"], {}).values()
    }
    assert keyless == set()


def test_every_mart_enforces_its_contract(build: Build) -> None:
    marts = [model for model in models_of(build) if layer_of(model) == "marts"]
    assert marts
    assert [mart["name"] for mart in marts if not mart["config"]["contract"]["enforced"]] == []


def test_a_model_fits_on_a_screen(build: Build) -> None:
    long = {
        model["name"]
        for model in models_of(build)
        if len(model["raw_code"].splitlines()) > LONGEST_MODEL
    }
    assert long == set(LONG_MODELS)


def test_a_model_has_few_parents(build: Build) -> None:
    many = {
        model["name"] for model in models_of(build) if len(parents_of(build, model)) > MOST_PARENTS
    }
    assert many <= set(MANY_PARENTS)


def test_no_chain_of_models_is_long(build: Build) -> None:
    models = {model["unique_id"]: model for model in models_of(build)}

    @cache
    def steps_to(unique_id: str) -> int:
        parents = [
            parent for parent in models[unique_id]["depends_on"]["nodes"] if parent in models
        ]
        return max((1 + steps_to(parent) for parent in parents), default=0)

    assert max(steps_to(unique_id) for unique_id in models) <= LONGEST_CHAIN


def test_every_folder_of_macros_is_read() -> None:
    # One of them is a home's where the user has rules of their own, so each is named.
    project = (PROJECT / "dbt_project.yml").read_text(encoding="utf-8")
    for folder in (PROJECT / "macros").iterdir():
        assert f"macros/{folder.name}" in project, f"dbt_project.yml does not name {folder.name}"


def test_a_model_holds_no_logic_of_jinja(build: Build) -> None:
    forbidden = re.compile(r"\{%-?\s*(?:set|for|macro|call|do)\b|\b(?:var|env_var|config)\s*\(")
    condition = re.compile(r"\{%-?\s*(?:if|elif)\b(.*?)-?%\}")
    wrong = []
    for model in models_of(build):
        code = model["raw_code"]
        conditions = [text.strip() for text in condition.findall(code)]
        if forbidden.search(code) or set(conditions) - {"is_incremental()"}:
            wrong.append(model["name"])
    assert wrong == []


def test_every_row_of_judgement_gives_its_reason_and_two_examples() -> None:
    seeds = sorted((PROJECT / "seeds").glob("*.csv"))
    assert seeds
    wrong = []
    for seed in seeds:
        with seed.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if not all(row.get(name) for name in ("reason", "example", "counter_example")):
                    wrong.append((seed.stem, next(iter(row.values()))))
    assert wrong == []


def test_the_name_of_an_invariant_is_a_sentence_and_its_offenders_key_comes_first(
    build: Build,
) -> None:
    names = {file.stem for file in (PROJECT / "tests" / "invariants").glob("*.sql")}
    assert names == set(build.first_columns)
    sentence = re.compile(r"(?:a|all|an|each|every|kept|no|the)(?:_[a-z0-9]+){3,}")
    assert [name for name in names if not sentence.fullmatch(name)] == []
    assert {n: key for n, key in build.first_columns.items() if not key.endswith("_id")} == {}


def test_every_intermediate_model_has_two_unit_tests_that_are_sentences(build: Build) -> None:
    counts = {m["name"]: 0 for m in models_of(build)}
    for unit_test in build.manifest["unit_tests"].values():
        assert len(unit_test["name"].split("_")) > 4, unit_test["name"]
        assert unit_test["description"], unit_test["name"]
        counts[unit_test["model"]] += 1
    few = [
        m["name"]
        for m in models_of(build)
        if layer_of(m) == "intermediate" and counts[m["name"]] < 2
    ]
    assert few == []

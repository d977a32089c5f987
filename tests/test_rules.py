"""The rules of seeds/, run through the SQL that they are rendered to."""

import csv
import functools
import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import duckdb
import jinja2
import pytest

from tamis.errors import TamisError
from tamis.rules.patterns import at_beginning, portability_problem, scoped
from tamis.rules.render import render_rules
from tamis.rules.rows import EVENT_COLUMNS, SEEDS, read_rows, read_rules, rules_version
from tamis.rules.trials import ORDINARY

PROJECT = Path(__file__).resolve().parents[1]
SEED_FOLDER = PROJECT / "seeds"
MACRO_FOLDER = PROJECT / "macros"


@functools.cache
def sql_of(call: str, rules: Path = MACRO_FOLDER / "rules", switched_on: str = "") -> str:
    """The SQL that a call of a macro becomes, with one of the settings switched on."""
    files = sorted([*(MACRO_FOLDER / "engine").glob("*.sql"), *rules.glob("*.sql")])
    macros = "\n".join(file.read_text(encoding="utf-8") for file in files)
    environment = jinja2.Environment(autoescape=False, extensions=["jinja2.ext.do"])
    environment.globals["var"] = lambda name, default: name == switched_on or default
    return environment.from_string(macros + "{{ " + call + " }}").render()


def events(bodies: Sequence[str], fields: Sequence[dict[str, object]]) -> duckdb.DuckDBPyRelation:
    """A relation of events, one a body, in the columns that a rule's condition may read."""
    engine = duckdb.connect()
    columns = ", ".join(f"{name} {kind}" for name, kind in EVENT_COLUMNS.items())
    engine.execute(f"create table events (number integer, {columns})")
    rows = [{"body": body, **ORDINARY, **more} for body, more in zip(bodies, fields, strict=True)]
    for number, row in enumerate(rows):
        engine.execute(
            f"insert into events values ({', '.join('?' * (len(EVENT_COLUMNS) + 1))})",
            [number, *(row[name] for name in EVENT_COLUMNS)],
        )
    return engine.table("events")


def rule_ids(
    bodies: Sequence[str],
    fields: Sequence[dict[str, object]] | None = None,
    rules: Path = MACRO_FOLDER / "rules",
) -> list[str | None]:
    """The noise rule of each body."""
    relation = events(bodies, fields or [{}] * len(bodies))
    found = relation.project(f"number, {sql_of('noise_rule()', rules)} as rule_id").order("number")
    return [rule_id for _, rule_id in found.fetchall()]


def over_texts(
    call: str,
    texts: Sequence[str],
    rules: Path = MACRO_FOLDER / "rules",
    switched_on: str = "",
) -> list:
    """What a macro over `body` yields for each text."""
    relation = events(texts, [{}] * len(texts))
    sql = sql_of(call, rules, switched_on)
    found = relation.project(f"number, {sql} as answer").order("number")
    return [answer for _, answer in found.fetchall()]


def seed(name: str) -> list[dict[str, str]]:
    return read_rows(SEED_FOLDER / f"{name}.csv")


def example_fields(row: dict[str, str]) -> dict[str, object]:
    return json.loads(row["example_fields"] or "{}")


def test_each_noise_rule_matches_its_example() -> None:
    rows = seed("noise_rules")
    found = rule_ids([row["example"] for row in rows], [example_fields(row) for row in rows])
    assert found == [row["rule_id"] for row in rows]


def test_no_noise_rule_matches_its_counter_example() -> None:
    rows = seed("noise_rules")
    role = [
        {"role": fields["role"]}
        if row["pattern"] and (fields := example_fields(row)).get("role")
        else {}
        for row in rows
    ]
    for fields in ([{}] * len(rows), role):
        found = rule_ids([row["counter_example"] for row in rows], fields)
        wrong = [
            row["rule_id"]
            for row, rule_id in zip(rows, found, strict=True)
            if rule_id == row["rule_id"]
        ]
        assert wrong == []


def test_the_shared_first_test_loses_no_rule() -> None:
    rows = seed("noise_rules")
    bodies = [row[column] for row in rows for column in ("example", "counter_example")]
    fields = [example_fields(row) for row in rows for _ in range(2)]
    rules, _, exceptions = read_rules(SEED_FOLDER)
    engine = events(bodies, fields)
    one_by_one = "case "
    for rule in rules:
        tests = [f"({rule.condition})"] if rule.condition else []
        if rule.patterns:
            tests += [f"not {plain_match(exception.pattern)}" for exception in exceptions]
            matches = " + ".join(f"{plain_match(pattern)}::integer" for pattern in rule.patterns)
            tests.append(f"{matches} >= {rule.least_matches}")
        one_by_one += f"when {' and '.join(tests)} then '{rule.rule_id}' "
    expected = engine.project(f"number, {one_by_one} end").order("number").fetchall()
    assert rule_ids(bodies, fields) == [rule_id for _, rule_id in expected]


def plain_match(pattern: str) -> str:
    return f"regexp_matches(body, '{pattern.replace(chr(39), chr(39) * 2)}')"


def test_machine_text_is_staged_as_its_rule_says() -> None:
    rows = [row for row in seed("noise_rules") if row["staged_as"] and not row["condition"]]
    assert {row["staged_as"] for row in rows} == {"prompt", "system", "summary"}
    for around in ("{}", "\n \ufeff{}\u3000\n"):
        texts = [around.format(row["example"]) for row in rows]
        assert over_texts("machine_kind('body')", texts) == [row["staged_as"] for row in rows]
    people = [row["counter_example"] for row in rows]
    assert over_texts("machine_kind('body')", people) == [None] * len(people)


def test_a_match_is_located_in_characters_at_its_leftmost_place() -> None:
    spans = {
        ("(?i)\\bfoo\\b", "xfoo 👍🏽 FOO foo"): [9, 3],
        ("^(?:a|ab)$", "ab"): [1, 2],
        ("(?m)^b$", "a\nb\nc"): [3, 1],
        ("x*$", "ab"): [3, 0],
        ("it's", "it's"): [1, 4],
        ("(a)(b)?", "cab"): [2, 2],
        ("^c|b", "ab"): [2, 1],
        ("no", "yes"): None,
    }
    for (pattern, text), span in spans.items():
        call = f"match_span('body', {scoped(pattern)!r}, {at_beginning(pattern)})"
        assert over_texts(call, [text, None]) == [span, None], pattern
    assert [pattern for pattern in spans if at_beginning(pattern[0])] == [("^(?:a|ab)$", "ab")]


def test_every_example_of_a_rule_about_texts_is_located() -> None:
    rows = [row for row in seed("noise_rules") if row["pattern"]]
    for row in rows:
        (span,) = over_texts(f"noise_match(\"'{row['rule_id']}'\", 'body')", [row["example"]])
        patterns = row["pattern"].split("\n") if row["least_matches"] else [row["pattern"]]
        match = next(filter(None, (re.search(each, row["example"]) for each in patterns)))
        assert span == [match.start() + 1, len(match[0])], row["rule_id"]
    assert over_texts("noise_match(\"'tool_call'\", 'body')", ["Bash"]) == [None]


LIKE_NOISE = [
    "42",
    "90210",
    "#",
    "[7] item",
    "[TODO] order the cables [soon]",
    "Info: I moved to Berlin last week",
    "Processing payments is my job at Stripe",
    "System: [prod] runs Debian 12",
    "Relevant memories: we should index them by project",
    "Stop hook feedback: I like it",
    "Current time: it is 2026, please remember the year",
    "[cron:daily] should run at 5, not 4",
    "[12:30] lunch with the auditors",
    "{a set of braces, no JSON}",
    "yes, but on port 7443",
    "no, we keep Postgres",
    "Current time: Monday, May 4th, 2026\nPlease restart the demo host",
    "- the backup disk is 91 % full",
    "System: [2026-05-04 09:00:00 UTC] Node: phone connected\n\nUse the blue theme from now on",
]


MISSED_NOISE = [
    "ok.",
    "OK 👍🏽",
    "thanks!!",
    "ok, got it. Thanks!",
    "it’s on",
    "❤️",
    "👨‍👩‍👧",
    "谢谢",
    "收到！",
    "네네",
    "ありがとうございます！",
    "...",
    "Muchas gracias.",
    "Alles klar!",
    "ça marche",
    "Obrigada!",
    "terima kasih",
    "**HEARTBEAT_OK**",
    "heartbeat_ok.",
    "NO_REPLY NO_REPLY",
    "System (untrusted): [2026-05-04] Exec started",
    "Session started",
    "User re-engaged with session after gap",
]


def test_statements_that_look_like_noise_are_kept() -> None:
    found = dict(zip(LIKE_NOISE, rule_ids(LIKE_NOISE), strict=True))
    assert {body: rule_id for body, rule_id in found.items() if rule_id} == {}


def test_noise_that_others_miss_is_refused() -> None:
    found = dict(zip(MISSED_NOISE, rule_ids(MISSED_NOISE), strict=True))
    assert [body for body, rule_id in found.items() if rule_id is None] == []


def test_an_exception_keeps_what_a_rule_would_refuse() -> None:
    rows = seed("kept_exceptions")
    assert rule_ids([row["example"] for row in rows], [{"role": "assistant"}] * len(rows)) == (
        [None] * len(rows)
    )
    patterns = [pattern for rule in read_rules(SEED_FOLDER)[0] for pattern in rule.patterns]
    for row in rows:
        assert re.search(row["pattern"], row["example"])
        assert any(re.search(pattern, row["example"]) for pattern in patterns), row
    refused = rule_ids(
        [row["counter_example"] for row in rows], [{"role": "assistant"}] * len(rows)
    )
    assert None not in refused


def test_an_exception_never_keeps_tool_traffic() -> None:
    fields: list[dict[str, object]] = [{"event_kind": "tool_result", "role": "tool"}]
    bodies = [row["example"] for row in seed("kept_exceptions")]
    assert set(rule_ids(bodies, fields * len(bodies))) == {"tool_result"}


def test_each_secret_is_redacted_and_named() -> None:
    rows = seed("secret_patterns")
    examples = [row["example"] for row in rows]
    redacted = over_texts("redact_secrets('body')", examples, switched_on="redact_contacts")
    kinds = over_texts("secret_kinds('body')", examples, switched_on="redact_contacts")
    for row, text, found in zip(rows, redacted, kinds, strict=True):
        match = re.search(row["pattern"], row["example"])
        assert match is not None
        opening, closing = match.span()
        before, after = row["replacement"].split("[REDACTED:")
        for number in (1, 2):
            if f"\\{number}" in before:
                opening = match.end(number)
            if f"\\{number}" in after and match[number]:
                closing = match.start(number)
        secret = match.string[opening:closing].rstrip("@")
        assert len(secret) >= 8
        assert secret not in text
        assert "[REDACTED:" in text
        assert row["kind"] in found


SECRET_TEXTS = {
    '{"password": "Example-01"}': "Example-01",
    'env DB_PASSWORD=\\"9182\\" run': "9182",
    "passwd: ex4mple, host: db": "ex4mple",
    "数据库密码是Example01，请记住": "Example01",
    "비밀번호는 Example01 입니다": "Example01",
    "Authorization: Basic ZXhhbXBsZTpleGFtcGxlMDE=": "ZXhhbXBsZTpleGFtcGxlMDE",
    "clientSecret: 'example-0123456789-example'": "0123456789",
    "密钥sk-proj-EXAMPLEexample0123456789": "EXAMPLEexample",
    "-----BEGIN PRIVATE KEY-----\\nEXAMPLEexampleEXAMPLEexampleEXAMPLEexample01": "EXAMPLEexample",
    "redis://:Example01@cache.example:6379/0": "Example01",
    "keys AKIAEXAMPLE012345678,AKIAEXAMPLE012345679": "012345679",
}


def test_secrets_in_other_dress_are_redacted() -> None:
    redacted = over_texts("redact_secrets('body')", list(SECRET_TEXTS))
    left = [
        text for text, secret in zip(redacted, SECRET_TEXTS.values(), strict=True) if secret in text
    ]
    assert left == []


def test_a_prefilter_is_part_of_its_secret() -> None:
    for row in seed("secret_patterns"):
        if row["contains"]:
            assert any(literal in row["example"] for literal in row["contains"].split("|")), row
        if row["mentions"]:
            assert re.search(f"(?i){row['mentions']}", row["example"]), row


def test_what_is_no_secret_stays() -> None:
    counter_examples = [row["counter_example"] for row in seed("secret_patterns")]
    harmless = [
        "commit 0123456789abcdef0123456789abcdef01234567 fixed it",
        "id 01234567-89ab-4cde-8f01-23456789abcd",
        "sha256-EXAMPLEexampleEXAMPLEexampleEXAMPLEexample01= is the integrity of the file",
        'token = os.environ["API_KEY"]',
        'password = os.environ["DB_PASSWORD_2"]',
        "Send a password reset to the new colleague",
        "password: required",
        "const apiKey = process.env.API_KEY_2024",
        "def login(user: str, password: str = None) -> Token:",
        "data:image/png;base64,EXAMPLEexample0123456789+/EXAMPLEexample==",
        "git@github.example:acme/demo-app.git and https://github.example/acme/demo-app",
        "npm install @scope/name@1.2.3 at http://localhost:4873/@scope/name",
        "The access token expires after 3600 s",
        "",
    ]
    texts = counter_examples + harmless
    for switched_on in ("", "redact_contacts"):
        redacted = over_texts("redact_secrets('body')", texts, switched_on=switched_on)
        assert redacted == texts
        kinds = over_texts("secret_kinds('body')", texts, switched_on=switched_on)
        assert kinds == [[]] * len(texts)


def test_a_row_of_a_setting_counts_only_where_it_is_on() -> None:
    rows = [row for row in seed("secret_patterns") if row["setting"]]
    examples = [row["example"] for row in rows]
    assert {row["kind"] for row in rows} == {"email", "phone"}
    assert over_texts("redact_secrets('body')", examples) == examples
    assert over_texts("secret_kinds('body')", examples) == [[]] * len(examples)


def test_redacting_twice_changes_nothing() -> None:
    examples = [row["example"] for row in seed("secret_patterns")]
    texts = [*examples, "\n".join(examples), " ".join(examples), "、".join(examples)]
    for switched_on in ("", "redact_contacts"):
        once = over_texts("redact_secrets('body')", texts, switched_on=switched_on)
        again = over_texts("redact_secrets('body')", once, switched_on=switched_on)
        assert again == once
        kinds = over_texts("secret_kinds('body')", once, switched_on=switched_on)
        assert kinds == [[]] * len(once)


def test_every_pattern_is_portable() -> None:
    for name in SEEDS:
        for row in seed(name):
            several = row.get("least_matches")
            whole = row.get("pattern") or ""
            patterns = [*(whole.split("\n") if several else [whole]), row.get("manner") or ""]
            for pattern in filter(None, patterns):
                assert portability_problem(pattern) is None, row
                re.compile(pattern)
                duckdb.execute("select regexp_matches('', ?)", [pattern])


def test_each_grouping_rule_matches_its_example_and_not_its_counter_example() -> None:
    rows = [row for row in seed("grouping_rules") if row["pattern"]]
    for column, expected in (
        ("example", [row["rule_id"] for row in rows]),
        ("counter_example", [None] * len(rows)),
    ):
        fields = [{"event_kind": row["event_kind"]} for row in rows]
        relation = events([row[column] for row in rows], fields)
        found = relation.project(f"number, {sql_of('grouping_rule()')} as rule_id").order("number")
        assert [rule_id for _, rule_id in found.fetchall()] == expected


def test_the_committed_macros_are_what_the_seeds_say(tmp_path: Path) -> None:
    render_rules(SEED_FOLDER, tmp_path)
    rendered = {file.name: file.read_text(encoding="utf-8") for file in tmp_path.iterdir()}
    committed = {
        file.name: file.read_text(encoding="utf-8")
        for file in (MACRO_FOLDER / "rules").glob("*.sql")
    }
    assert committed == rendered, "run `python -m tamis.rules`"


def copied_seeds(folder: Path, name: str, change: Callable[[list[dict[str, str]]], None]) -> Path:
    """A copy of the seeds with one file's rows changed."""
    shutil.copytree(SEED_FOLDER, folder)
    rows = read_rows(folder / f"{name}.csv")
    change(rows)
    with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]), lineterminator="\r\n")
        writer.writeheader()
        writer.writerows(rows)
    return folder


def test_the_version_changes_with_any_row_and_not_with_line_ends(tmp_path: Path) -> None:
    versions = {rules_version(SEED_FOLDER)}
    assert rules_version(copied_seeds(tmp_path / "same", SEEDS[0], lambda rows: None)) in versions
    for name in SEEDS:
        seeds = copied_seeds(tmp_path / name, name, lambda rows: rows[0].update(reason="another"))
        versions.add(rules_version(seeds))
    assert len(versions) == len(SEEDS) + 1


@pytest.mark.parametrize(
    ("name", "cell", "value", "named"),
    [
        ("noise_rules", "priority", "20", "priority 20"),
        ("noise_rules", "priority", "soon", "row 1 (tool_call)"),
        ("noise_rules", "rule_id", "Tool call", "row 1 (Tool call)"),
        ("noise_rules", "rule_id", "tool_result", "rule_id tool_result"),
        ("noise_rules", "pattern", "^(", "row 1 (tool_call)"),
        ("noise_rules", "pattern", "a(?=b)", "lookaround"),
        ("noise_rules", "condition", "boddy = 1", "row 1 (tool_call)"),
        ("noise_rules", "condition", "", "tests nothing"),
        ("noise_rules", "staged_as", "turn", "staged as turn"),
        ("noise_rules", "example", "", "no example"),
        ("noise_rules", "counter_example", " ", "no counter_example"),
        ("noise_rules", "example_fields", '{"rolle": 1}', "example_fields"),
        ("noise_rules", "example_fields", "{", "example_fields"),
        ("secret_patterns", "pattern", "[", "row 1 (private_key_block)"),
        ("secret_patterns", "contains", "a||b", "empty literal"),
        ("secret_patterns", "mentions", "a", "both contains and mentions"),
        ("secret_patterns", "setting", "user_id", "use redact_contacts"),
        ("secret_patterns", "replacement", "gone", "[REDACTED:private_key_block]"),
        ("kept_exceptions", "pattern", "", "row 1 (sentence_about_the_flush)"),
        ("kept_exceptions", "reason", "", "no reason"),
        ("near_duplicate_guards", "guard", "A number", "bad guard"),
        ("near_duplicate_guards", "pattern", "(a|b)", "captures a group"),
        ("near_duplicate_guards", "compared", "all", "compares nothing"),
        ("near_duplicate_guards", "compared", "next word", "compares otherwise"),
        ("near_duplicate_guards", "example", "one text", "no pair as example"),
        ("grouping_rules", "least_similarity", "0.5", "by two things"),
        ("grouping_rules", "pattern", "(?<name>a)", "row 1 (claude_mem_same_instant)"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, name: str, cell: str, value: str, named: str) -> None:
    seeds = copied_seeds(tmp_path / "seeds", name, lambda rows: rows[0].update({cell: value}))
    with pytest.raises(TamisError) as caught:
        render_rules(seeds, tmp_path / "macros")
    message = str(caught.value)
    assert f"{name}.csv" in message and named in message and "\n" not in message
    assert caught.value.exit_code == 2
    assert not (tmp_path / "macros").exists()


def test_a_missing_or_torn_seed_is_named(tmp_path: Path) -> None:
    with pytest.raises(TamisError, match=r"noise_rules\.csv can't be read"):
        render_rules(tmp_path, tmp_path / "macros")
    seeds = copied_seeds(tmp_path / "seeds", "kept_exceptions", lambda rows: None)
    with (seeds / "kept_exceptions.csv").open("a", encoding="utf-8") as file:
        file.write("one,two\n")
    with pytest.raises(TamisError, match=r"kept_exceptions\.csv: row \d+ \(one\)"):
        render_rules(seeds, tmp_path / "macros")


def test_no_row_is_read_as_a_template(tmp_path: Path) -> None:
    nasty = '^[{{%#}}]{2}%\\}\\{% it\'s \\\\ "\\$1" [$]\\{#\\{\\{ x 🙂️$'
    body = '{{%}{% it\'s \\ "$1" ${#{{ x 🙂️'

    def change(rows: list[dict[str, str]]) -> None:
        rows[0].update(pattern=nasty, condition="body <> '{{ it''s }} {% raw %} {# #}'")

    render_rules(copied_seeds(tmp_path / "seeds", "noise_rules", change), tmp_path / "macros")
    assert rule_ids([body, "{{ it's }}"], rules=tmp_path / "macros") == ["tool_call", None]

    def replace(rows: list[dict[str, str]]) -> None:
        rows[0].update(
            contains="it's {{",
            pattern="it's \\{\\{ [{%]",
            replacement="{{ '{%' }}[REDACTED:private_key_block]",
        )

    render_rules(copied_seeds(tmp_path / "more", "secret_patterns", replace), tmp_path / "macros")
    texts = ["it's {{ %", "it is"]
    assert over_texts("redact_secrets('body')", texts, tmp_path / "macros") == [
        "{{ '{%' }}[REDACTED:private_key_block]",
        "it is",
    ]

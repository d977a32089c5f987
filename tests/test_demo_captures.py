"""The demo's captures: written the same every time, with every trouble they promise."""

import json
import re
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tamis.demo import CAPTURED_AT, CAPTURES, FAKE_SECRETS, QUESTIONS, write_captures
from tamis.errors import TamisError
from tamis.evaluation.golden import load_questions

API = "claude/projects/-home-u-work-api"
FIRST = f"{API}/c1a0de01-0000-4000-8000-000000000001.jsonl"
RESUMED = f"{API}/c1a0de02-0000-4000-8000-000000000002.jsonl"
BACKEND = f"{API}/c1a0de06-0000-4000-8000-000000000006.jsonl"
SUBAGENT = f"{API}/c1a0de01-0000-4000-8000-000000000001/subagents/agent-3f9c2ab.jsonl"
CLAW = "openclaw/agents/main/sessions"
GATEWAY = f"{CLAW}/0c1a0001-0000-4000-8000-000000000001.jsonl"
RESET = f"{CLAW}/0c1a0005-0000-4000-8000-000000000005.jsonl.reset.2026-03-01T18-30-00.000Z"


@pytest.fixture(scope="module")
def captures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_captures(tmp_path_factory.mktemp("captures"))


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n")


def objects(path: Path) -> list[dict[str, Any]]:
    """Every line that is a JSON object."""
    found = []
    for line in lines(path):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def said(path: Path) -> list[str]:
    """The texts of a transcript's messages."""
    texts = []
    for record in objects(path):
        content = record.get("message", {}).get("content", [])
        blocks = [{"text": content}] if isinstance(content, str) else content
        texts += [block["text"] for block in blocks if "text" in block]
    return texts


def frames(captures: Path) -> list[dict[str, Any]]:
    mind = captures / "hive-mind" / "global.mind"
    with closing(sqlite3.connect(f"file:{mind}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute("SELECT * FROM memory_frames ORDER BY id")]


def test_two_copies_are_equal(captures: Path, tmp_path: Path) -> None:
    again = write_captures(write_captures(tmp_path / "again"))
    files = {path.relative_to(captures) for path in captures.rglob("*") if path.is_file()}
    assert files == {path.relative_to(again) for path in again.rglob("*") if path.is_file()}
    for path in files:
        assert (again / path).stat().st_mtime == CAPTURED_AT.timestamp()
        if path.suffix != ".mind":
            assert (again / path).read_bytes() == (captures / path).read_bytes()
    assert frames(again) == frames(captures)


def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "claude").write_text("a file where a folder belongs")
    with pytest.raises(TamisError, match="can't write the demo's captures"):
        write_captures(tmp_path)


def test_secrets_are_planted_but_lie_in_no_packaged_file(captures: Path) -> None:
    packaged = b"".join(path.read_bytes() for path in CAPTURES.rglob("*") if path.is_file())
    written = (captures / FIRST).read_bytes()
    for placeholder, secret in FAKE_SECRETS.items():
        assert placeholder.encode() in packaged
        assert secret.encode() not in packaged
        assert secret.encode() in written
    assert b"@@" not in written


def test_nothing_points_to_a_real_person_or_machine(captures: Path) -> None:
    text = "\n".join(
        path.read_bytes().decode("utf-8", "replace")
        for path in captures.rglob("*")
        if path.is_file()
    )
    assert set(re.findall(r"/home/([^/\\\"]+)", text)) == {"u"}
    hosts = re.findall(r"(?:https?|ssh|postgres)://(?:[^/@\s]*@)?([a-z.-]+)", text)
    assert hosts and all(host.endswith(".example") for host in hosts)


def test_a_resume_repeats_uuids_under_another_session(captures: Path) -> None:
    first = {one["uuid"]: one for one in objects(captures / FIRST) if "uuid" in one}
    resumed = {one["uuid"]: one for one in objects(captures / RESUMED) if "uuid" in one}
    shared = first.keys() & resumed.keys()
    assert len(shared) > 20 and len(resumed) > len(shared)
    for uuid in shared:
        assert first[uuid]["sessionId"] != resumed[uuid]["sessionId"]
        assert (
            first[uuid]["message" if "message" in first[uuid] else "type"]
            == (resumed[uuid]["message" if "message" in resumed[uuid] else "type"])
        )


def test_two_lines_are_broken_and_their_neighbours_are_not(captures: Path) -> None:
    broken = []
    for line in lines(captures / FIRST)[:-1]:
        try:
            json.loads(line.decode("utf-8"))
        except ValueError as error:
            broken.append(type(error).__name__)
    assert broken == ["JSONDecodeError", "UnicodeDecodeError"]


def test_only_the_gateways_transcript_ends_in_a_torn_line(captures: Path) -> None:
    torn = [
        str(path.relative_to(captures))
        for path in captures.rglob("*.jsonl*")
        if not path.read_bytes().endswith(b"\n")
    ]
    assert torn == [GATEWAY]
    with pytest.raises(ValueError, match="Unterminated string"):
        json.loads(lines(captures / GATEWAY)[-1])


def test_a_checkpoint_copies_the_beginning_of_its_transcript(captures: Path) -> None:
    (checkpoint,) = captures.glob(f"{CLAW}/*.checkpoint.*.jsonl")
    copied = checkpoint.read_bytes()
    assert (captures / GATEWAY).read_bytes().startswith(copied)
    assert copied.count(b"\n") > 20


def test_a_turn_is_captured_by_gateway_backend_and_both_hooks(captures: Path) -> None:
    schema = "The public schema is versioned in openapi/v3.yaml"
    (envelope,) = [text for text in said(captures / GATEWAY) if schema in text]
    (plain,) = [text for text in said(captures / BACKEND) if schema in text]
    hooked = [one["content"] for one in frames(captures) if schema in one["content"]]
    assert envelope == f"[Telegram the user id:42 +5s 2026-03-05T10:00Z] {plain}\n[message_id: 318]"
    assert len(hooked) == 2
    assert {one.rpartition("] ")[2] for one in hooked} == {plain}
    assert [re.findall(r"src:(\S+)", one)[0] for one in hooked] == ["openclaw", "claude-code"]


def test_a_mirror_repeats_an_answer(captures: Path) -> None:
    messages = [one["message"] for one in objects(captures / GATEWAY) if one["type"] == "message"]
    (at,) = [i for i, one in enumerate(messages) if one.get("model") == "delivery-mirror"]
    mirrored = messages[at]["content"][0]["text"]
    answered = messages[at - 1]["content"][0]["text"]
    assert answered == f"\n\n[[reply_to_current]] {mirrored}"


def test_an_answer_stands_in_parts_and_as_their_join(captures: Path) -> None:
    texts = said(captures / GATEWAY)
    joins = [i for i in range(2, len(texts)) if texts[i] == "\n\n".join(texts[i - 2 : i])]
    assert len(joins) == 1


def test_siblings_of_one_parent_differ_in_metadata_alone(captures: Path) -> None:
    users = [
        one
        for one in objects(captures / GATEWAY)
        if one["type"] == "message" and one["message"]["role"] == "user"
    ]
    parents = Counter(one["parentId"] for one in users)
    wrapped, clean = [one for one in users if parents[one["parentId"]] == 2]
    body = clean["message"]["content"][0]["text"]
    assert wrapped["message"]["content"][0]["text"].endswith(f"```\n\n{body}")


def test_a_reset_archive_holds_a_fact_that_stands_nowhere_else(captures: Path) -> None:
    fact = "The spare key of the server room is in the grey cabinet on floor 2."
    holders = [
        str(path.relative_to(captures))
        for path in captures.rglob("*")
        if path.is_file() and fact.encode() in path.read_bytes()
    ]
    assert holders == [RESET]


@pytest.mark.parametrize(
    ("file", "mark", "at_least"),
    [
        (GATEWAY, "Read HEARTBEAT.md if it exists", 7),
        (GATEWAY, "HEARTBEAT_OK", 7),
        (GATEWAY, "NO_REPLY", 2),
        (GATEWAY, "A new session was started via /new or /reset", 1),
        (GATEWAY, "[Queued messages while agent was busy]", 1),
        (GATEWAY, "<relevant-memories>", 1),
        (GATEWAY, "[Post-compaction context refresh]", 1),
        (GATEWAY, '"type":"compaction"', 1),
        (GATEWAY, '"type":"toolCall"', 1),
        (GATEWAY, '"role":"toolResult"', 1),
        (GATEWAY, "감사합니다", 1),
        (GATEWAY, "谢谢", 1),
        (GATEWAY, "👍", 1),
        (f"{CLAW}/0c1a0002-0000-4000-8000-000000000002.jsonl", "[Subagent Task]", 1),
        (f"{CLAW}/0c1a0003-0000-4000-8000-000000000003.jsonl", "[cron:job-7 nightly-report]", 3),
        (f"{CLAW}/0c1a0004-0000-4000-8000-000000000004.jsonl", "HEARTBEAT_OK", 3),
        (f"{CLAW}/sessions.json", "agent:main:main:heartbeat", 1),
        (FIRST, "<local-command-caveat>", 1),
        (FIRST, "<command-name>/clear", 1),
        (FIRST, "<local-command-stdout>", 1),
        (FIRST, "[Request interrupted by user]", 1),
        (FIRST, "<task-notification>", 1),
        (FIRST, '"type":"tool_use"', 2),
        (FIRST, '"type":"tool_result"', 2),
        (FIRST, '"type":"thinking"', 1),
        (FIRST, '"isCompactSummary":true', 1),
        (FIRST, '"isApiErrorMessage":true', 1),
        (FIRST, '"operation":"enqueue"', 1),
        (SUBAGENT, '"isSidechain":true', 4),
    ],
)
def test_a_promised_trouble_is_there(captures: Path, file: str, mark: str, at_least: int) -> None:
    assert (captures / file).read_text(encoding="utf-8", errors="replace").count(mark) >= at_least


def test_a_queued_prompt_comes_again_as_a_turn(captures: Path) -> None:
    records = objects(captures / FIRST)
    (queued,) = [one["content"] for one in records if one.get("operation") == "enqueue"]
    assert said(captures / FIRST).count(queued) == 1


def test_two_projects_share_a_folder_name_and_one_has_a_worktree(captures: Path) -> None:
    checkouts = {one["cwd"]: one for one in objects(captures / "git" / "demo.checkouts.jsonl")}
    work, personal = checkouts["/home/u/work/api"], checkouts["/home/u/personal/api"]
    hotfix = checkouts["/home/u/work/api-hotfix"]
    assert work["remote"] != personal["remote"]
    assert hotfix["is_worktree"] and hotfix["common_dir"] == work["common_dir"]
    folders = {
        record["cwd"]
        for path in captures.rglob("claude/**/*.jsonl")
        for record in objects(path)
        if "cwd" in record
    }
    assert folders == checkouts.keys()


def test_a_statement_comes_back_on_several_days(captures: Path) -> None:
    days: dict[str, set[str]] = {}
    for path in captures.rglob("claude/**/*.jsonl"):
        for record in objects(path):
            content = record.get("message", {}).get("content")
            if isinstance(content, str):
                days.setdefault(content, set()).add(record["timestamp"][:10])
    assert len(days["Which port does the checkout API listen on?"]) == 4
    assert len(days["The checkout API listens on port 8443 behind the load balancer."]) == 2


def test_the_mind_has_what_hive_mind_writes(captures: Path) -> None:
    stored = frames(captures)
    assert [one["id"] for one in stored] == list(range(1, len(stored) + 1))
    assert sum(one["content"].startswith("[hm ") for one in stored) > 50
    assert sum("session ended at" in one["content"] for one in stored) == 5
    assert any(one["content"].startswith("[wiki-synth ") for one in stored)
    assert any(one["content"].startswith("[mind-rawturn ") for one in stored)
    assert {len(one["content_hash"]) for one in stored} == {64}


def test_twenty_questions_in_four_languages_ask_for_what_was_said(captures: Path) -> None:
    questions = load_questions(QUESTIONS)
    texts = [one["content"] for one in frames(captures)]
    for path in captures.rglob("*.jsonl*"):
        texts += said(path)
    assert len(questions) == len({one.question for one in questions}) == 20
    for one in questions:
        for expected in one.expected:
            assert any(expected in text for text in texts), expected
    scripts = Counter(
        "korean"
        if re.search("[가-힣]", one.question)
        else "chinese"
        if re.search("[一-龥]", one.question)
        else "spanish"
        if one.question.startswith("¿")
        else "english"
        for one in questions
    )
    assert scripts == {"english": 10, "korean": 4, "chinese": 3, "spanish": 3}

"""The reports as text for a terminal, and as plain data for `--json`.

Texts of memories come from strangers: what a terminal would obey is shown, not sent.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

SCHEMA_VERSION = 1
CONTROL_CHARACTERS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)


def document(verb: str, body: Mapping[str, Any]) -> str:
    """One JSON document with its schema version; dates are ISO 8601, paths are texts."""
    return plain_json({"schema_version": SCHEMA_VERSION, "verb": verb, **body})


def plain_json(value: Any) -> str:
    """A value as JSON; dates are ISO 8601, paths are texts."""
    return json.dumps(value, ensure_ascii=False, default=plain)


def as_plain(value: Any) -> Any:
    """A value of nothing but what JSON knows."""
    return json.loads(plain_json(value))


def plain(value: Any) -> Any:
    """A value that JSON does not know, as one that it does."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, set | tuple):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def safe(text: str) -> str:
    """A text without the characters that a terminal obeys; each is shown as its number."""
    return CONTROL_CHARACTERS.sub(lambda match: f"\\x{ord(match.group()):02x}", text)


def one_line(text: str | None, width: int = 88) -> str:
    """A text in one line of at most `width` characters."""
    line = safe(" ".join((text or "").split()))
    return line if len(line) <= width else line[: width - 1] + "…"


def table(rows: Sequence[Sequence[Any]], headings: Sequence[str]) -> str:
    """Rows under headings, numbers to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [
        max([len(heading), *(len(row[column]) for row in cells)])
        for column, heading in enumerate(headings)
    ]
    numeric = [
        bool(rows) and all(isinstance(row[column], int | float) for row in rows)
        for column in range(len(headings))
    ]

    def line(row: Sequence[str]) -> str:
        return "  ".join(
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(row, widths, numeric, strict=True)
        ).rstrip()

    return "\n".join([line(headings), line(["-" * width for width in widths]), *map(line, cells)])


def fields(values: Mapping[str, Any], names: Iterable[str]) -> str:
    """The named values, one a line; those that are None are left out."""
    shown = [(name, values[name]) for name in names if values.get(name) is not None]
    width = max((len(name) for name, _ in shown), default=0)
    return "\n".join(f"  {name.ljust(width)}  {shown_value(value)}" for name, value in shown)


def shown_value(value: Any) -> str:
    """A value as a person reads it."""
    if isinstance(value, list):
        return " → ".join(str(item) for item in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return one_line(str(value), 200)


def why_text(found: Mapping[str, Any]) -> str:
    """What `why` found: the verdict, then every sighting with its file, position and steps."""
    version = found.get("rules_version")
    judged = [f"judged by the rules {version[:12]}"] if version else []
    if found["kind"] == "rejection":
        rejection = found["rejection"]
        category = f" ({rejection['category']})" if rejection["category"] else ""
        return "\n".join(
            [
                f"event {rejection['event_id']} was refused by {rejection['rule_id']}{category}",
                f"  {rejection['reason'] or 'its rule is gone'}",
                fields(
                    {**rejection, **told_of_event(rejection), "matched": matched_text(rejection)},
                    ("text", "matched", *EVENT_FIELDS),
                ),
                *judged,
            ]
        )
    fact = found["fact"]
    lines = [
        f"fact {fact['fact_id']}",
        fields(
            fact,
            (
                *("text", "fact_type", "namespace", "project_key", "worktree", "t_valid"),
                *("t_invalid", "is_current", "superseded_by", "capture_count", "body_hash"),
            ),
        ),
        f"said {len(found['sources'])} times:",
    ]
    for source in found["sources"]:
        marker = "→" if source["event_id"] == found["event"] else "-"
        lines.append(f"{marker} event {source['event_id']}: {source['relation']}")
        lines.append(fields({**source, **told_of_event(source)}, EVENT_FIELDS))
    if len(found["versions"]) > 1:
        lines.append(f"stated {len(found['versions'])} times over:")
        for version in found["versions"]:
            marker = "→" if version["fact_id"] == fact["fact_id"] else "-"
            lines.append(f"{marker} {version['fact_id']}: {interval(version)}")
    lines += [correction_text(correction, fact) for correction in found["corrections"]]
    return "\n".join(lines + judged)


def interval(version: Mapping[str, Any]) -> str:
    """When a version held, in words."""
    begin = shown_value(version["t_valid"]) if version["t_valid"] else "an unknown time"
    if version["is_current"]:
        return f"from {begin}"
    end = shown_value(version["t_invalid"]) if version["t_invalid"] else "an unknown time"
    return f"from {begin} to {end}"


def correction_text(correction: Mapping[str, Any], fact: Mapping[str, Any]) -> str:
    """Who changed what, when and why; or why an operation changed nothing."""
    told = [f"by {correction['actor']}"] if correction["actor"] else []
    told += [f"on {shown_value(correction['decided_at'])}"] if correction["decided_at"] else []
    told.append(f"told by {correction['source']}")
    line = f"{correction['kind']}: {one_line(correction['reason'])} ({', '.join(told)})"
    if correction["unresolved_reason"]:
        return f"{line}\n  changed nothing: {correction['unresolved_reason']}"
    if correction["target_fact_id"] != fact["fact_id"]:
        return f"{line}\n  it took the place of fact {correction['target_fact_id']}"
    if correction["replacement_fact_id"]:
        text = one_line(correction["replacement_text"], 60)
        return f"{line}\n  replaced by fact {correction['replacement_fact_id']}: {text}"
    return line


EVENT_FIELDS = (
    *("source_system", "role", "event_kind", "occurred_at", "session_id", "session_key"),
    *("origin", "position", "ladder", "redacted", "namespace", "project", "covered"),
    *("capture_id", "sighting_count", "is_changed"),
)


def told_of_event(event: Mapping[str, Any]) -> dict[str, Any]:
    """What was done to an event, in words: the ladder's steps, secrets, project and cover."""
    lengths = event["step_lengths"] or []
    steps = zip(event["steps"] or [], lengths, strict=True)
    found_by = event["project_found_by"]
    cover = event["covered_by_event_id"]
    return {
        "ladder": "; ".join(f"{step} {length}" for step, length in steps) or "no step changed it",
        "redacted": ", ".join(event["secret_kinds"] or []) or None,
        "project": event["project_key"] + (f", known by {found_by}" if found_by else ""),
        "covered": f"by {cover} ({event['cover_rule']})" if cover else None,
    }


def matched_text(rejection: Mapping[str, Any]) -> str | None:
    """Where a rule's pattern matched a text, and what; None where it asks for no pattern."""
    start, length = rejection["match_position"], rejection["match_length"]
    if start is None:
        return None
    matched = one_line(rejection["text"][start - 1 : start - 1 + length], 60)
    return f"characters {start} to {start + length - 1}: {matched}"


def landing_text(report: Any) -> str:
    """A landing: what came, by kind of record, and what did not."""
    rows = [
        (count.source_entity, count.files, count.records, count.new_records, count.rejects)
        for count in report.entities
    ]
    lines = []
    if rows:
        lines.append(table(rows, ("landed", "files", "records", "new", "rejected")))
    elif report.skipped:
        lines.append("no captures found")
    else:
        lines.append(
            "no captures found at the usual places: name a file or folder with `--from PATH`"
        )
    if report.torn:
        lines.append(f"{files(report.torn)} with a torn last line, which waits for its rest")
    if report.skipped:
        known = "of no source that tamis reads: `tamis doctor` lists them"
        lines.append(f"{files(len(report.skipped))} skipped, {known}")
    return "\n".join(lines)


def batch_text(report: Any) -> str:
    """One batch of a landing that goes on, in one line."""
    told = [
        f"{count.source_entity} {count.new_records} new of {count.records}"
        + (f", {count.rejects} rejected" if count.rejects else "")
        for count in report.entities
        if count.records or count.rejects
    ]
    if report.torn:
        told.append(f"{files(report.torn)} with a torn last line")
    if report.failed:
        told.append(f"{files(len(report.failed))} unread")
    return f"{report.landing_id.partition('-')[0]}  {'; '.join(told) or 'nothing new'}"


def files(count: int) -> str:
    """A number of files, in words."""
    return f"{count} file" if count == 1 else f"{count} files"


def run_text(home: Path, report: Any) -> str:
    """What a run did after landing."""
    if not report.changed:
        return f"nothing changed since build {report.build_id}: it stays published"
    rows = report.published.rows
    return (
        f"{report.nodes} models and tests and {report.expectations} expectations passed\n"
        f"published {report.build_id}: {rows['facts']} facts from {rows['fact_sources']} events,"
        f" {rows['rejections']} refused\n{report.published.folder}"
    )


def recall_text(facts: Sequence[Mapping[str, Any]]) -> str:
    """Ranked facts, one a line."""
    if not facts:
        return "no fact answers that"
    return "\n".join(
        f"{fact['score']:6.2f}  {fact['fact_id'][:12]}  {one_line(fact['text'], 100)}"
        for fact in facts
    )


def plain_lines(lines: Iterable[str]) -> str:
    """Lines, safe for a terminal."""
    return "\n".join(safe(line) for line in lines)


def diagnosis_text(found: Any) -> str:
    """A doctor's findings: versions, sources, what is not well, and what to do."""
    status = found.status
    landing = status.last_landing or {}
    lines = [
        " ".join(f"{part} {version}" for part, version in found.versions.items()),
        f"home {status.home}, published build {status.build_id or 'none'}",
        f"last landing {landing.get('started_at', 'none')} {landing.get('state', '')}".rstrip(),
        "",
        *found_lines(found.found),
    ]
    landed = [row for row in found.sources if row["records"] or row["rejects"]]
    sections = (
        (landed, ("source_entity", "records", "without_events", "rejects")),
        (found.unknown_kinds, ("source_entity", "record_kind", "record_count")),
        (found.rejects, ("origin", "reason", "rejects")),
        (found.failed, ("path", "error")),
        (found.skipped, ("path", "reason")),
    )
    titles = ("landed", "kinds that no model reads", "rejected lines", "unread files", "skipped")
    for title, (rows, names) in zip(titles, sections, strict=True):
        if rows:
            cells = [[cell(row[name]) for name in names] for row in rows]
            lines += ["", f"{title}:", table(cells, names)]
    if status.troubles or found.remedies:
        lines += ["", "not well:", *(f"- {safe(line)}" for line in status.troubles)]
        lines += [f"- {safe(line)}" for line in found.remedies]
    else:
        lines += ["", "all is well"]
    return "\n".join(lines)


def found_lines(sources: Sequence[Any]) -> list[str]:
    """What there is of every source, and what of it a landing would read."""
    shown = [one for one in sources if one.places or one.files]
    if not shown:
        return ["no captures found at the usual places: name a file or folder with `--from PATH`"]
    rows = [
        (
            one.source,
            safe(one.version or ""),
            one.files,
            one.bytes,
            one.new_files,
            one.changed_files,
            one.new_bytes,
            safe(", ".join(one.places)),
        )
        for one in shown
    ]
    headings = ("found", "version", "files", "bytes", "new", "changed", "bytes to land", "places")
    lines = [table(rows, headings)]
    absent = [one.source for one in sources if one not in shown]
    return lines + ([f"not found: {', '.join(absent)}"] if absent else [])


def cell(value: Any) -> Any:
    """A table's cell: numbers as they are, texts safe."""
    return value if isinstance(value, int | float) else safe(str(value))


def keys_text(principals: Sequence[Mapping[str, Any]]) -> str:
    """Who holds a key, one a line for each grant."""
    rows = [
        [
            one["name"],
            one["agent"] or "the user",
            "revoked" if one["revoked_at"] else "holds a key",
            safe(project),
            ", ".join(permissions),
        ]
        for one in principals
        for project, permissions in sorted(one["grants"].items())
    ]
    return table(rows, ["name", "agent", "state", "project", "granted"]) if rows else "no keys"


def audit_text(calls: Sequence[Mapping[str, Any]]) -> str:
    """Calls, one a line."""
    columns = ["at", "principal", "surface", "action", "project", "ref", "head", "status", "code"]
    rows = [[one_line(str(call[name] or ""), 48) for name in columns] for call in calls]
    return table(rows, columns) if rows else "no calls"


def context_text(text: str, manifest: Mapping[str, Any] | None) -> str:
    """What a model is given, and the line that pins it."""
    if manifest is None:
        return "a machine asks: nothing is given"
    shown = "\n".join(safe(line) for line in text.splitlines()) or "no accepted memory"
    conflicts = len(manifest["unresolved_conflicts"])
    return "\n".join(
        [
            shown,
            "",
            f"manifest {manifest['manifest_id']}",
            f"  head {manifest['head_changeset_id']} ({manifest['projection_version']}),"
            f" {len(manifest['selected_memory_ids'])} of {manifest['total_active']} memories,"
            f" {manifest['estimated_tokens']} of {manifest['budget']} tokens"
            + (f", unresolved conflicts: {conflicts}" if conflicts else ""),
        ]
    )


def manifest_text(manifest: Mapping[str, Any]) -> str:
    """A stored manifest: what was given when, and what became of each item."""
    names = (
        *("created_at", "project_id", "namespace", "ref_name", "head_changeset_id"),
        *("projection_version", "session_id", "budget", "estimated_tokens"),
        *("accepted_estimated_tokens", "unresolved_conflicts"),
    )
    items = [
        (one["kind"], one["id"], one["estimated_tokens"], one["reason"] or "given")
        for one in manifest["items"]
    ]
    return "\n".join(
        [
            f"manifest {manifest['manifest_id']}",
            fields(manifest, names),
            table(items, ("item", "id", "tokens", "")) if items else "nothing was given",
        ]
    )

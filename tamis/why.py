"""Tell where one event or fact came from, and what became of it."""

from pathlib import Path
from typing import Any

import duckdb

from tamis.errors import USAGE, TamisError
from tamis.publish import current_build, quoted
from tamis.session_keys import namespace_part
from tamis.warehouse import as_dicts

SHORTEST_PREFIX = 6
OWNED_MARTS = ("facts", "fact_sources", "rejections")
SOURCE_COLUMNS = """
    event_id, relation, cover_rule, covered_by_event_id, source_system, role, event_kind,
    session_id, session_key, occurred_at, origin, position, steps, step_lengths, secret_kinds,
    namespace, project_key, project_found_by, capture_id, sighting_count, is_changed
"""

VERSIONS = """
    select
        versions.fact_id,
        versions.t_valid,
        versions.t_invalid,
        versions.recorded_at,
        versions.expired_at,
        versions.is_current,
        versions.superseded_by
    from facts
    inner join facts as versions using (namespace, project_key, body_hash)
    where facts.fact_id = ?
    order by versions.t_valid nulls first, versions.recorded_at, versions.fact_id
"""
# What could not be applied names no fact, but the memory that a source of this one is.
CORRECTIONS = """
    select fact_corrections.*, replacements.text as replacement_text
    from fact_corrections
    left join facts as replacements
        on fact_corrections.replacement_fact_id = replacements.fact_id
    where
        target_fact_id = $1
        or replacement_fact_id = $1
        or (
            target_fact_id is null
            and (source, target_native_id) in (
                select source_system, native_id from fact_sources where fact_id = $1
            )
        )
    order by decided_at, correction_id
"""


def why(home: Path, identifier: str, *, only_of: tuple[str | None] | None = None) -> dict[str, Any]:
    """All that the published build tells of an event or a fact.

    Args:
        home: the home folder.
        identifier: an event id or a fact id, or the beginning of one (six characters or more).
        only_of: the agent (None for the user) whose memory alone is looked at; without it, all.

    Returns:
        `kind` ("fact" or "rejection"), the row under that name, `sources` (a list, in order of
        time) for a fact, its `versions`, `corrections` that name it or one of its memories, with
        the text of what replaced it, `event` where an event was asked for, and the
        `rules_version` that judged it.

    Raises:
        TamisError: exit 2 where the id is too short, unknown or ambiguous.
    """
    if len(identifier) < SHORTEST_PREFIX or not identifier.isalnum():
        raise TamisError(
            f"{identifier!r} is no id: give {SHORTEST_PREFIX} or more of its characters", USAGE
        )
    folder = current_build(home)
    connection = duckdb.connect()
    try:
        for mart in ("facts", "fact_sources", "rejections", "fact_corrections", "curation_summary"):
            path = quoted(folder / f"{mart}.parquet")
            owned = owned_rows(only_of) if mart in OWNED_MARTS else ""
            connection.execute(f"create view {mart} as select * from read_parquet('{path}'){owned}")
        kind, row_id, event_id = _find(connection, identifier)
        version = connection.execute("select any_value(rules_version) from curation_summary")
        judged = {"event": event_id, "rules_version": (version.fetchone() or (None,))[0]}
        if kind == "rejection":
            found = _rows(connection, "select * from rejections where event_id = ?", row_id)
            return {"kind": kind, "rejection": found[0], **judged}
        return {
            "kind": kind,
            "fact": _rows(connection, "select * from facts where fact_id = ?", row_id)[0],
            "sources": _rows(
                connection,
                f"select {SOURCE_COLUMNS} from fact_sources where fact_id = ?"
                " order by occurred_at nulls last, event_id",
                row_id,
            ),
            "versions": _rows(connection, VERSIONS, row_id),
            "corrections": _rows(connection, CORRECTIONS, row_id),
            **judged,
        }
    finally:
        connection.close()


def owned_rows(only_of: tuple[str | None] | None) -> str:
    """The condition that leaves one agent's rows, or the user's (see the macro namespace_of)."""
    if only_of is None:
        return ""
    name = quoted(namespace_part(only_of[0] or ""))
    return f" where split_part(namespace, ':agent:', 2) = '{name}'"


def _find(connection: duckdb.DuckDBPyConnection, prefix: str) -> tuple[str, str, str | None]:
    """What an id names: the kind, the row's id, and the event's where one was asked for."""
    matches = connection.execute(
        """
        select 'fact' as kind, fact_id as row_id, null as event_id
        from facts where starts_with(fact_id, $1)
        union all
        select 'fact', fact_id, event_id from fact_sources where starts_with(event_id, $1)
        union all
        select 'rejection', event_id, event_id from rejections where starts_with(event_id, $1)
        limit 3
        """,
        [prefix.lower()],
    ).fetchall()
    if not matches:
        raise TamisError(f"no event or fact of the published build begins with {prefix}", USAGE)
    if len(matches) > 1:
        raise TamisError(f"several ids begin with {prefix}: give more of it", USAGE)
    return matches[0]


def _rows(connection: duckdb.DuckDBPyConnection, query: str, value: str) -> list[dict[str, Any]]:
    return as_dicts(connection.execute(query, [value]))

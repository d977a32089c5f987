"""What a candidate pattern would do to what a home has published; nothing is written."""

import csv
from collections.abc import Mapping
from html import escape
from io import StringIO
from pathlib import Path

import duckdb
import polars as pl

from tamis.errors import USAGE, TamisError
from tamis.publish import quoted
from tamis.rules.patterns import portability_problem, scoped
from tamis.rules.rows import sql_text

MARTS = ("facts", "fact_sources", "rejections")
AROUND = 80
TOLD_STYLE = "vertical-align: top; white-space: nowrap; width: 1%; padding-right: 1em"


def matches_in(
    build: Path, pattern: str, *, role: str | None = None, source: str | None = None
) -> pl.DataFrame:
    """The published events whose text a pattern matches.

    Args:
        build: the folder of a published build.
        pattern: a regular expression of the portable subset.
        role: only events of this role.
        source: only events of this source system.

    Returns:
        one row an event: event_id, source_system, role, rule_id (NULL where it is kept),
        refused_by_text (whether that rule has a pattern), text, match_position and match_length,
        by source and id. An event that repeats a fact has the fact's text.

    Raises:
        TamisError: exit 2 where the pattern is none that every engine reads alike.
    """
    problem = portability_problem(pattern)
    if problem is not None:
        raise TamisError(f"the pattern can't be used: {problem}", USAGE)
    wanted = [
        f"{column} = {sql_text(value)}"
        for column, value in (("role", role), ("source_system", source))
        if value is not None
    ]
    marts = {name: f"'{quoted(build / f'{name}.parquet')}'" for name in MARTS}
    lead_and_match = sql_text(f"^([\\s\\S]*?)({scoped(pattern)})")
    query = f"""
        with events as (
            select event_id, source_system, role, null as rule_id, facts.text, false as by_text
            from read_parquet({marts["fact_sources"]}) as sources
            inner join (select fact_id, text from read_parquet({marts["facts"]})) as facts
                using (fact_id)
            union all
            select event_id, source_system, role, rule_id, text, match_position is not null
            from read_parquet({marts["rejections"]})
        )
        select
            event_id,
            source_system,
            role,
            rule_id,
            by_text as refused_by_text,
            text,
            length(regexp_extract(text, {lead_and_match}, 1)) + 1 as match_position,
            length(regexp_extract(text, {lead_and_match}, 2)) as match_length
        from events
        where regexp_matches(text, {sql_text(pattern)}) {"".join(f" and {one}" for one in wanted)}
        order by source_system, event_id
    """
    try:
        with duckdb.connect() as engine:
            return engine.execute(query).pl()
    except duckdb.InvalidInputException as error:
        told = str(error).splitlines()[0]
        raise TamisError(f"the pattern can't be used: {told}", USAGE) from error


def by_source(matches: pl.DataFrame) -> pl.DataFrame:
    """How many events of each source a pattern matches, of those kept and of those refused."""
    is_kept = pl.col("rule_id").is_null()
    return (
        matches.group_by("source_system")
        .agg(is_kept.sum().alias("kept now"), (~is_kept).sum().alias("refused now"))
        .sort("source_system")
    )


def marked(text: str | None, position: int | None, length: int | None) -> str:
    """A text as HTML, the matched part marked and what is far from it left out."""
    text = text or ""
    start = (position or 1) - 1
    end = start + (length or 0)
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    matched = text[start:end]
    if len(matched) > 4 * AROUND:
        matched = f"{matched[: 2 * AROUND]} … {matched[-2 * AROUND :]}"
    parts = ["… " if start > AROUND else "", before]
    marks = f"<mark>{escape(matched)}</mark>" if position is not None else ""
    rest = [after, " …" if len(text) > end + AROUND else ""]
    return escape("".join(parts)) + marks + escape("".join(rest))


def shown(matches: pl.DataFrame, most: int = 25) -> str:
    """The first of some events as an HTML table: what told them, and the text with its match."""
    rows = []
    for row in matches.head(most).iter_rows(named=True):
        told = escape(f"{row['source_system']} · {row['role'] or 'nobody'}")
        text = marked(row["text"], row["match_position"], row["match_length"])
        rows.append(
            f"<tr><td style='{TOLD_STYLE}'>{told}</td>"
            f"<td style='white-space: pre-wrap; overflow-wrap: anywhere'>{text}</td></tr>"
        )
    return f"<table>{''.join(rows)}</table>" if rows else "<p>none</p>"


def row_to_paste(cells: Mapping[str, str]) -> str:
    """A rule file of one row: its header and the row."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(cells)
    writer.writerow(cells.values())
    return text.getvalue()

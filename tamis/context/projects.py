"""Which project a name means, and what of it an asker may see."""

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from tamis.context.asking import Asker
from tamis.context.marts import mart
from tamis.context.request import ContextError
from tamis.memory_git.records import SHARED, owner_of

NEAR_NAMES = 3


@dataclass(frozen=True)
class Project:
    """A project that was asked for.

    Attributes:
        name: the id of its Memory Git history, else its key.
        has_history: whether it has such a history.
        keys: the keys under which its events and facts stand.
    """

    name: str
    has_history: bool
    keys: tuple[str, ...]


def sees(asker: Asker, ref: str) -> bool:
    """Whether a ref is the asker's to read: shared, or a branch of its own namespace.

    A branch of a named agent is that agent's; any other branch is the user's own.
    """
    if ref.startswith(SHARED):
        return True
    owner = owner_of(ref) or "main"
    return owner.strip().lower() == (asker.agent or "main")


def refs_of_histories(published: Path, asker: Asker) -> dict[str, list[str]]:
    """The Memory Git projects, each with those of its refs that an asker may read."""
    records = mart(published, "memory_records", ("project_name", "entity", "ref_name"))
    found: dict[str, list[str]] = {name: [] for name in records["project_name"].unique().sort()}
    refs = records.filter(entity="ref").select("project_name", "ref_name").sort("ref_name")
    for project, ref in refs.iter_rows():
        if sees(asker, ref):
            found[project].append(ref)
    return found


def project_of(published: Path, asker: Asker, name: str) -> Project:
    """The project that a name means to an asker.

    A Memory Git project is meant by its id before any project by its key, and a key before a
    short name; a project whose names hold the id of a history has that history. One of which the
    asker may read nothing is not known to it.

    Raises:
        ContextError: the name means no project that the asker may see, or several.
    """
    if not name.strip():
        raise ContextError("bad_request", "name a project")
    refs = refs_of_histories(published, asker)
    names_of = names_by_key(published, asker.namespace)
    known = {*names_of, *(one for names in names_of.values() for one in names)}
    histories = [history for history in refs if refs[history] or history in known]
    if name in histories:
        keys = [key for key, names in names_of.items() if name == key or name in names]
        return Project(name, True, tuple(keys))
    keys = [name] if name in names_of else [key for key in names_of if name in names_of[key]]
    if len(keys) > 1:
        raise ContextError(
            "bad_request", f"{name} names {len(keys)} projects: ask for one of {', '.join(keys)}"
        )
    if not keys:
        raise ContextError(
            "unknown_project", f"no project {name}{near(name, {*known, *histories})}"
        )
    (key,) = keys
    held = [history for history in histories if history == key or history in names_of[key]]
    if len(held) > 1:
        raise ContextError(
            "bad_request", f"{name} has {len(held)} histories: ask for one of {', '.join(held)}"
        )
    return Project(held[0], True, (key,)) if held else Project(key, False, (key,))


def names_by_key(published: Path, namespace: str) -> Mapping[str, Collection[str]]:
    """The projects of a namespace by their keys, each with its other names."""
    projects = mart(published, "projects", ("namespace", "project_key", "names"))
    rows = projects.filter(pl.col("namespace") == namespace).sort("project_key")
    return {key: set(names or ()) for key, names in rows.select("project_key", "names").iter_rows()}


def near(name: str, known: Collection[str]) -> str:
    """The known names that are most like one that is not known, as the end of a sentence."""
    lowered = {one.casefold(): one for one in sorted(known)}
    alike = difflib.get_close_matches(name.casefold(), lowered, n=NEAR_NAMES)
    found = list(dict.fromkeys(lowered[one] for one in alike))
    if not found:
        return ""
    return f": did you mean {' or '.join(found)}?"

"""The index of a published build, made when it is published and taken up by the next one."""

import shutil
from pathlib import Path

from tamis.recall.index_files import FOLDER, build_index, read_index, write_index
from tamis.recall.store import read_facts, read_near_duplicates


def index(published: Path, earlier: Path | None, encoder: str | None) -> None:
    """Index a build's facts in its folder; texts that an earlier build indexed are taken over.

    Args:
        published: the folder that holds the build's marts.
        earlier: the folder of the build before, or of the same one.
        encoder: the model whose vectors are stored; None for words alone.
    """
    known = read_index(earlier) if earlier is not None else None
    facts = read_facts(published)
    built = build_index(
        facts, read_near_duplicates(published), encoder, known[1] if known else None
    )
    writing = published / f".{FOLDER}"
    shutil.rmtree(writing, ignore_errors=True)
    write_index(writing, facts, built)
    # Who has the old files open keeps reading them; who comes in between builds in memory.
    shutil.rmtree(published / FOLDER, ignore_errors=True)
    writing.rename(published / FOLDER)


def is_indexed(published: Path, encoder: str | None) -> bool:
    """Whether a build has a whole index, by this encoder."""
    found = read_index(published)
    return found is not None and found[1].encoder == encoder

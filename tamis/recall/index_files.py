"""The index of a published build: built once, beside it, and read where it lies."""

import json
from dataclasses import dataclass, fields
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from tamis.recall.dates import calendar
from tamis.recall.encoders import load_encoder
from tamis.recall.neighbours import neighbours
from tamis.recall.postings import Known, Postings, build_postings
from tamis.recall.slots import slot_groups
from tamis.recall.vectors import Vectors, packed

FOLDER = "recall"
# Raised whenever tokens, arrays or their meaning change: other indexes are built anew.
FORMAT = 2
_ARRAYS = ("before", "after", "groups", "days", "newest_first", "digests")


@dataclass(frozen=True)
class Index:
    """Arrays about a store's facts, by position.

    Attributes:
        postings: which fact holds which word.
        vectors: the facts' vectors, None without an encoder.
        before, after: the position of the fact said before each one in its session, and after
            it; -1 for none.
        groups: the group of near duplicates of each fact, -1 for none.
        days: year, month and day of each fact's valid time, zeros for none.
        newest_first: the rank of each fact by valid time, the newest is 0; facts without a time
            are last.
        digests: of each text, by which a later build knows it again.
    """

    postings: Postings
    vectors: Vectors | None
    before: npt.NDArray[np.int32]
    after: npt.NDArray[np.int32]
    groups: npt.NDArray[np.int32]
    days: npt.NDArray[np.int16]
    newest_first: npt.NDArray[np.int32]
    digests: npt.NDArray[np.uint64]

    @property
    def encoder(self) -> str | None:
        """The name of the model that made the vectors."""
        return self.vectors.encoder if self.vectors is not None else None


def build_index(
    facts: pl.DataFrame,
    near_duplicates: pl.DataFrame | None,
    encoder: str | None,
    earlier: Index | None = None,
) -> Index:
    """Index facts; of an earlier index the texts that it knows are taken over.

    The same facts give the same index, whatever earlier one is at hand.
    """
    texts = facts["text"].to_list()
    digests = np.array(
        [
            np.frombuffer(
                blake2b(text.encode("utf-8", "replace"), digest_size=16).digest(), np.uint64
            )
            for text in texts
        ],
        dtype=np.uint64,
    ).reshape(-1, 2)
    known = None if earlier is None else _matched(digests, earlier)
    before, after = neighbours(facts)
    order = (
        facts.select("t_valid")
        .with_row_index("place")
        .sort("t_valid", "place", descending=[True, False], nulls_last=True)["place"]
    )
    newest_first = np.empty(facts.height, dtype=np.int32)
    newest_first[order.to_numpy()] = np.arange(facts.height, dtype=np.int32)
    return Index(
        build_postings(texts, known),
        None if encoder is None else _vectors(texts, encoder, known, earlier),
        before,
        after,
        slot_groups(facts["fact_id"], near_duplicates),
        calendar(facts["t_valid"]),
        newest_first,
        digests,
    )


def _matched(digests: npt.NDArray[np.uint64], earlier: Index) -> Known:
    """Each text's position in an earlier index; of equal texts each has its own."""
    new, old = _numbered(digests), _numbered(earlier.digests).rename({"place": "old_place"})
    found = new.join(old, on=["high", "low", "copy"], how="left", maintain_order="left")
    return Known(earlier.postings, found["old_place"].fill_null(-1).to_numpy())


def _numbered(digests: npt.NDArray[np.uint64]) -> pl.DataFrame:
    frame = pl.DataFrame({"high": digests[:, 0], "low": digests[:, 1]})
    return frame.with_columns(
        pl.int_range(pl.len(), dtype=pl.Int64).alias("place"),
        pl.int_range(pl.len()).over("high", "low").alias("copy"),
    )


def _vectors(texts: list[str], encoder: str, known: Known | None, earlier: Index | None) -> Vectors:
    model = load_encoder(encoder)
    old = None if earlier is None else earlier.vectors
    same = old is not None and (old.encoder, old.version) == (model.name, model.version)
    places = np.full(len(texts), -1) if known is None or not same else known.positions
    fresh = np.flatnonzero(places < 0)
    made = packed(model.name, model.version, model.of_facts([texts[place] for place in fresh]))
    if old is None or not same or len(fresh) == len(texts):
        return made
    parts = {}
    for name in ("values", "scales", "signs"):
        kept = getattr(old, name)
        parts[name] = np.empty((len(texts), *kept.shape[1:]), dtype=kept.dtype)
        parts[name][places >= 0] = kept[places[places >= 0]]
        if len(fresh):
            parts[name][fresh] = getattr(made, name)
    return Vectors(model.name, model.version, **parts)


def write_index(folder: Path, facts: pl.DataFrame, index: Index) -> None:
    """Write facts and their index into a new folder that only the user may read."""
    folder.mkdir(mode=0o700)
    facts.write_ipc(folder / "facts.arrow", compression="uncompressed")
    arrays = {name: getattr(index, name) for name in _ARRAYS}
    arrays |= {f"postings_{name}": array for name, array in _fields(index.postings).items()}
    manifest: dict[str, Any] = {"format": FORMAT, "facts": facts.height, "encoder": None}
    if index.vectors is not None:
        arrays |= {name: getattr(index.vectors, name) for name in ("values", "scales", "signs")}
        manifest |= {"encoder": index.vectors.encoder, "encoder_version": index.vectors.version}
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    manifest["bytes"] = {path.name: path.stat().st_size for path in sorted(folder.iterdir())}
    (folder / "index.json").write_text(json.dumps(manifest, indent=1) + "\n")
    for path in folder.iterdir():
        path.chmod(0o600)


def _fields(postings: Postings) -> dict[str, npt.NDArray[Any]]:
    return {field.name: getattr(postings, field.name) for field in fields(Postings)}


def read_index(published: Path) -> tuple[pl.DataFrame, Index] | None:
    """The facts and the index of a published build, mapped into memory and not read.

    Returns:
        None where there is no whole index of this format: builds of earlier versions have none.
    """
    folder = published / FOLDER
    try:
        manifest = json.loads((folder / "index.json").read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            return None
        if any((folder / name).stat().st_size != size for name, size in manifest["bytes"].items()):
            return None
        facts = _mapped_facts(folder / "facts.arrow")
        arrays = {name: _mapped(folder, name) for name in _ARRAYS}
        postings = Postings(
            **{field.name: _mapped(folder, f"postings_{field.name}") for field in fields(Postings)}
        )
        vectors = None
        if manifest["encoder"] is not None:
            vectors = Vectors(
                manifest["encoder"],
                manifest["encoder_version"],
                _mapped(folder, "values"),
                _mapped(folder, "scales"),
                _mapped(folder, "signs"),
            )
    except (OSError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return None
    return facts, Index(postings, vectors, **arrays)


def _mapped_facts(path: Path) -> pl.DataFrame:
    with pa.memory_map(str(path)) as source:
        frame = pl.from_arrow(pa.ipc.open_file(source).read_all())
    if not isinstance(frame, pl.DataFrame):
        raise TypeError(f"{path} holds no table")
    return frame


def _mapped(folder: Path, name: str) -> npt.NDArray[Any]:
    # A plain array over the mapped file: the class for mapped ones makes each operation slower.
    return np.asarray(np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False))

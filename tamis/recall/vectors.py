"""The nearest facts to a question by their vectors, in tens of milliseconds among a million."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

# Up to as many facts every vector is compared; of more, those whose signs agree most.
EXACT_UP_TO = 50_000
_NEAREST_BY_SIGN = 4_000


@dataclass(frozen=True)
class Vectors:
    """One vector a fact.

    Attributes:
        encoder: the name of the model that made them.
        version: of the model's package.
        values: one row of half-precision numbers a fact.
        signs: which numbers of a row are positive, 64 to a word.
    """

    encoder: str
    version: str
    values: npt.NDArray[np.float16]
    signs: npt.NDArray[np.uint64]


def packed_signs(values: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Which numbers of each row are positive; rows are a multiple of 64 numbers wide."""
    return np.ascontiguousarray(np.packbits(values > 0, axis=1)).view(np.uint64)


def nearest(
    vectors: Vectors, question: Numbers, visible: Flags, most: int | None
) -> tuple[Positions, Numbers]:
    """Visible facts that are nearest to a question, with their cosines, in order of position.

    Among many facts those are compared whose signs differ least from the question's: what is
    near by angle and not by sign is missed, which the benchmark counts.
    """
    places = np.flatnonzero(visible)
    if most is not None and len(places) > EXACT_UP_TO:
        signs = packed_signs(question[np.newaxis])[0]
        different = np.bitwise_count(vectors.signs ^ signs).sum(axis=1, dtype=np.uint16)
        different[~visible] = np.iinfo(np.uint16).max
        enough = np.partition(different, max(_NEAREST_BY_SIGN, most))[max(_NEAREST_BY_SIGN, most)]
        places = np.flatnonzero((different <= enough) & visible)
    # A million rows as full numbers are a gigabyte: a part at a time.
    cosines = np.concatenate(
        [
            vectors.values[places[i : i + 65_536]].astype(np.float32) @ question
            for i in range(0, len(places), 65_536)
        ]
        or [np.zeros(0, dtype=np.float32)]
    )
    return places, cosines

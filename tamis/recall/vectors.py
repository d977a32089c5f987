"""The nearest facts to a question by their vectors, in tens of milliseconds among a million."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

# Up to as many facts every vector is compared; of more, those whose signs agree most.
EXACT_UP_TO = 10_000
_NEAREST_BY_SIGN = 2_000
_LARGEST = 127


@dataclass(frozen=True)
class Vectors:
    """One vector a fact.

    Attributes:
        encoder: the name of the model that made them.
        version: of the model's package.
        values: one row of whole numbers from -127 to 127 a fact.
        scales: what a row's numbers are multiplied with.
        signs: which numbers of a row are positive, 64 to a word.
    """

    encoder: str
    version: str
    values: npt.NDArray[np.int8]
    scales: Numbers
    signs: npt.NDArray[np.uint64]


def packed(encoder: str, version: str, made: Numbers) -> Vectors:
    """Vectors as they are stored: a byte a number, which moves a cosine by a few thousandths."""
    scales = np.abs(made).max(axis=1, initial=1e-12).astype(np.float32) / np.float32(_LARGEST)
    values = np.rint(made / scales[:, np.newaxis]).astype(np.int8)
    return Vectors(encoder, version, values, scales, packed_signs(values))


def packed_signs(values: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    """Which numbers of each row are positive; rows are a multiple of 64 numbers wide."""
    bits = np.packbits(values > 0, axis=1)
    return np.ascontiguousarray(bits).view(np.uint64)


def nearest(
    vectors: Vectors, question: Numbers, visible: Flags, most: int | None
) -> tuple[Positions, Numbers]:
    """Visible facts that are nearest to a question, with their cosines, in order of position.

    Among many facts those are compared whose signs differ least from the question's: what is
    near by angle and not by sign is missed.
    """
    places = np.flatnonzero(visible)
    if most is not None and len(places) > EXACT_UP_TO:
        different = _different_signs(vectors, question)
        # Few distances are possible: counting them is faster than selecting among them.
        so_far = np.cumsum(np.bincount(different[places]))
        enough = int(np.searchsorted(so_far, max(_NEAREST_BY_SIGN, most)))
        places = np.flatnonzero((different <= enough) & visible)
    # A million rows as full numbers are a gigabyte: a part at a time. A product of matrices
    # would share the little there is among threads, and wait for them on a busy machine.
    cosines = np.concatenate(
        [
            np.einsum(
                "ij,j->i", vectors.values[places[i : i + 65_536]].astype(np.float32), question
            )
            for i in range(0, len(places), 65_536)
        ]
        or [np.zeros(0, dtype=np.float32)]
    )
    return places, cosines * vectors.scales[places]


def _different_signs(vectors: Vectors, question: Numbers) -> npt.NDArray[np.uint16]:
    different = np.zeros(len(vectors.signs), dtype=np.uint16)
    for column, signs in enumerate(packed_signs(question[np.newaxis])[0]):
        different += np.bitwise_count(vectors.signs[:, column] ^ signs)
    return different

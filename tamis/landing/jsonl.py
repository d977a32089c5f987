"""Reading JSONL as lines of text: found with numpy, handed over as Arrow views, never copied."""

import hashlib
import io
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Protocol, TypeVar

import numpy as np
import pyarrow as pa

# Smaller than what glibc gives back to the system at once: fresh pages cost more than reading.
BLOCK_BYTES = 8 << 20
# Longer lines are refused: a packed file of some kilobytes may hold one of any length.
LONGEST_LINE_BYTES = 64 << 20
KEPT_BYTES = 1_000
BOM = b"\xef\xbb\xbf"
VIEW_BYTES = 16
INLINE_BYTES = 12

Item = TypeVar("Item")


class Digest(Protocol):
    """A hashlib hash."""

    def update(self, data: Any, /) -> None: ...
    def hexdigest(self) -> str: ...


def is_compressed(path: Path) -> bool:
    """Whether a file's name says that zstd packed it."""
    return path.suffix == ".zst"


def open_capture(path: Path) -> BinaryIO:
    """A file's bytes, unpacked where it is compressed; such a stream can't seek.

    Raises:
        OSError: when the file can't be read, or (while reading) when its packing is broken.
    """
    if not is_compressed(path):
        return path.open("rb")
    return io.BufferedReader(pa.CompressedInputStream(pa.OSFile(os.fsencode(path)), "zstd"))


@dataclass(frozen=True)
class Refused:
    """A line that is no record.

    Attributes:
        position: its byte offset in the file.
        reason: "invalid UTF-8" or "unparsable JSON", why a row can't be read, or how long a line
            is that is too long.
        data: its bytes without the line terminator; of a line that is too long the first ones.
    """

    position: int
    reason: str
    data: bytes


@dataclass(frozen=True)
class Block:
    """Some consecutive lines of a file, without blank ones.

    Attributes:
        text: Arrow string_view array, one value per line of valid UTF-8, without terminators.
        positions: int64 array, the byte offset of each line in the file.
        refused: the lines of invalid UTF-8.
        end: byte offset behind the last line that has its newline.
        tail: only in the last block: what stands behind `end`, a line without its newline, or
            the first bytes of one that is too long.
    """

    text: pa.Array
    positions: np.ndarray
    refused: tuple[Refused, ...]
    end: int
    tail: bytes


def read_blocks(stream: BinaryIO, start: int, size: int, digest: Digest) -> Iterator[Block]:
    """The lines of a file from a line's first byte on.

    Args:
        stream: a binary stream that stands at `start`.
        start: byte offset of the first line to read.
        size: bytes of the file to consider; what is appended meanwhile waits for the next read.
        digest: is fed with every byte that belongs to a finished line.

    Yields:
        At least one block. Memory holds one block (8 MB, or the longest line that lands), its
        lines and the views on them.

    Raises:
        OSError: when the file can't be read.
    """
    offset, carry = start, b""
    while True:
        # Growing with what is carried keeps the copying of one very long line linear.
        wanted = min(max(BLOCK_BYTES, len(carry)), LONGEST_LINE_BYTES + BLOCK_BYTES - len(carry))
        wanted = min(wanted, size - offset - len(carry))
        fresh = stream.read(wanted) if wanted > 0 else b""
        data = carry + fresh if carry else fresh
        if len(data) > LONGEST_LINE_BYTES and b"\n" not in data[: LONGEST_LINE_BYTES + 1]:
            # Of one that has no end yet the digest says more than `end`: the file is read anew.
            length, carry = pass_over(stream, data, size - offset, digest)
            yield without_lines(offset, length, data[:KEPT_BYTES])
            if length is None:
                return
            offset += length
            continue
        cut = data.rfind(b"\n") + 1
        if fresh and not cut and offset + len(data) < size:
            carry = data
            continue
        digest.update(memoryview(data)[:cut])
        last = not fresh or offset + len(data) >= size
        carry = data[cut:]
        text, positions, refused = split_lines(data[:cut] if cut < len(data) else data, offset)
        offset += cut
        yield Block(text, positions, refused, offset, carry if last else b"")
        if last:
            return


def pass_over(
    stream: BinaryIO, data: bytes, limit: int, digest: Digest
) -> tuple[int | None, bytes]:
    """Read on to the end of a line of which nothing is kept.

    Args:
        stream: stands behind `data`.
        data: where the line begins.
        limit: bytes of the file to consider, from the line's first one on.
        digest: is fed with the line.

    Returns:
        How long the line is, with its newline, and what was read behind it; None for a line that
        has no newline.
    """
    length = 0
    while data:
        cut = data.find(b"\n") + 1 or len(data)
        digest.update(memoryview(data)[:cut])
        length += cut
        if data[cut - 1 : cut] == b"\n":
            return length, data[cut:]
        data = stream.read(min(BLOCK_BYTES, limit - length))
    return None, b""


def without_lines(offset: int, length: int | None, data: bytes) -> Block:
    """The block of one line that is too long: refused, or waiting for its newline."""
    nothing, nowhere = pa.array([], pa.string_view()), np.empty(0, np.int64)
    if length is None:
        return Block(nothing, nowhere, (), offset, data)
    reason = f"a line of {length:,} bytes"
    return Block(nothing, nowhere, (Refused(offset, reason, data),), offset + length, b"")


def split_lines(data: bytes, offset: int) -> tuple[pa.Array, np.ndarray, tuple[Refused, ...]]:
    """The lines of complete text that starts at a byte offset of its file.

    Returns:
        The lines as string_view array, their positions, and the lines of invalid UTF-8.
    """
    characters = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    starts = np.empty_like(ends)
    starts[:1] = len(BOM) if offset == 0 and data.startswith(BOM) else 0
    starts[1:] = ends[:-1] + 1
    has_return = (ends > starts) & (characters[ends - 1] == ord("\r"))
    ends = ends - has_return
    filled = ends > starts
    starts, ends = starts[filled], ends[filled]
    lines = views(data, starts, ends)
    try:
        return lines.cast(pa.string_view()), starts + offset, ()
    except pa.ArrowInvalid:
        valid = np.array([is_utf8(line) for line in lines.to_pylist()], dtype=bool)
    refused = tuple(
        Refused(int(start) + offset, "invalid UTF-8", data[start:end])
        for start, end in zip(starts[~valid], ends[~valid], strict=True)
    )
    starts, ends = starts[valid], ends[valid]
    return views(data, starts, ends).cast(pa.string_view()), starts + offset, refused


def views(data: bytes, starts: np.ndarray, ends: np.ndarray) -> pa.Array:
    """An Arrow binary_view array of slices of a buffer, which it keeps alive and does not copy.

    A view is 16 bytes: the length; then up to 12 bytes themselves, or the first four, the number
    of the buffer (0) and the offset in it.
    """
    characters = np.frombuffer(data, np.uint8)
    lengths = ends - starts
    view = np.zeros((len(starts), VIEW_BYTES), np.uint8)
    numbers = view.view(np.int32)
    numbers[:, 0] = lengths
    is_short = lengths <= INLINE_BYTES
    if not is_short.any():
        numbers[:, 3] = starts
        for index in range(4):
            view[:, 4 + index] = characters[starts + index]
    else:
        numbers[~is_short, 3] = starts[~is_short]
        for index in range(INLINE_BYTES):
            held = (lengths > index) & (is_short if index >= 4 else True)
            view[held, 4 + index] = characters[starts[held] + index]
    buffers = [None, pa.py_buffer(view), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.binary_view(), len(starts), buffers)


def raw_views(text: pa.Array) -> np.ndarray:
    """The views of a string_view array without nulls as an (n, 16) array of bytes."""
    count = VIEW_BYTES * len(text)
    whole = np.frombuffer(text.buffers()[1], np.uint8, count, VIEW_BYTES * text.offset)
    return whole.reshape(-1, VIEW_BYTES)


def text_bytes(text: pa.Array) -> int:
    """How many bytes of text a string_view array holds."""
    return int(raw_views(text)[:, :4].copy().view(np.int32).sum(dtype=np.int64))


def keep_views(text: pa.Array, mask: np.ndarray) -> pa.Array:
    """The values of a string_view array where the mask is true; Arrow has no such filter yet."""
    kept = np.ascontiguousarray(raw_views(text)[mask])
    buffers = [None, pa.py_buffer(kept), *text.buffers()[2:]]
    return pa.Array.from_buffers(pa.string_view(), len(kept), buffers)


def is_utf8(data: bytes) -> bool:
    """Whether the bytes are valid UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def parse(text: str | bytes) -> Any:
    """Strict JSON as Python reads it, so lone surrogates are fine but NaN and Infinity are not.

    Raises:
        ValueError: when the text is no JSON, no UTF-8, or nested too deeply.
    """

    def refuse(constant: str) -> None:
        raise ValueError(f"{constant} is no JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def complete_object(tail: bytes) -> dict[str, Any] | None:
    """The JSON object that an unterminated last line holds, None while it is torn."""
    try:
        value = parse(tail.decode())
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def hash_prefix(stream: BinaryIO, length: int) -> Digest:
    """The sha256 of the next bytes of a stream, which then stands behind them."""
    digest = hashlib.sha256()
    while length > 0:
        data = stream.read(min(length, BLOCK_BYTES))
        if not data:
            break
        digest.update(data)
        length -= len(data)
    return digest


def read_ahead(items: Iterator[Item]) -> Iterator[Item]:
    """The same items, each next one fetched in a thread while the caller works on this one."""
    with ThreadPoolExecutor(max_workers=1) as thread:
        upcoming = thread.submit(next, items, None)
        while (item := upcoming.result()) is not None:
            upcoming = thread.submit(next, items, None)
            yield item

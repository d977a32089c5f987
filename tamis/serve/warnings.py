"""Warnings that a flood of requests can't turn into a flood of lines."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

PAUSE = timedelta(minutes=1)


class Warnings:
    """One line a minute for each kind of trouble; what was held back is counted in the next."""

    def __init__(self, tell: Callable[[str], None], clock: Callable[[], datetime]) -> None:
        """Tell by a function that takes a line."""
        self._tell = tell
        self._clock = clock
        self._lock = threading.Lock()
        self._told_at: dict[str, datetime] = {}
        self._held_back: dict[str, int] = {}

    def warn(self, kind: str, line: str) -> None:
        """Tell a line, unless one of its kind was told within a minute.

        Args:
            kind: one of a few names, never what a stranger sent.
            line: nothing of a key or a memory.
        """
        with self._lock:
            at = self._clock()
            last = self._told_at.get(kind)
            if last is not None and at - last < PAUSE:
                self._held_back[kind] = self._held_back.get(kind, 0) + 1
                return
            self._told_at[kind] = at
            held_back = self._held_back.pop(kind, 0)
        self._tell(f"{line} ({held_back} more like it)" if held_back else line)

"""The one error that tamis raises on purpose."""

GATE_FAILED = 1
USAGE = 2
ENVIRONMENT = 3


class TamisError(Exception):
    """Something that the person at the terminal can act on.

    Args:
        message: one line that says what happened, to which file, and what to do.
        exit_code: 1 a gate failed, 2 wrong usage, 3 environment (locked, missing, unreadable).
    """

    def __init__(self, message: str, exit_code: int = ENVIRONMENT) -> None:
        super().__init__(message)
        self.exit_code = exit_code


class Busy(TamisError):
    """Another process holds what is needed now; who can wait may try again."""

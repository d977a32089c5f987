"""The command line, run as a user runs it."""

import subprocess
import sys


def run_tamis(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "tamis", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=900,
        **options,  # type: ignore[arg-type]
    )

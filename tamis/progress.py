"""How a long task tells how far it is."""

from collections.abc import Callable

# Called with the number of steps done and the number of all steps.
Progress = Callable[[int, int], None]

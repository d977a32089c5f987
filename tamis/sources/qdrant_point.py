"""Reading a point that a local Qdrant collection stored as a Python pickle, without unpickling.

A pickle is a program, and running one from a file of others can do anything. Here its opcodes are
read as data: nothing is imported, nothing is called. A class is a name, an instance the name with
its state, and whatever is neither text, number, list nor mapping is no point.
"""

import pickletools
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from typing import Any

# What one byte of a pickle may stand for at most, so that shared parts can't multiply.
EXPANSION = 8
LARGEST_BYTES = 16 << 20


@dataclass(frozen=True)
class Name:
    """A class or function that a pickle names; it is never looked up."""

    module: str
    name: str


@dataclass
class Instance:
    """What a pickle would have built by calling something.

    Attributes:
        built_by: what would have been called.
        arguments: with what.
        state: what would have been set on it.
    """

    built_by: Any
    arguments: Any
    state: Any = None


class Mark:
    """Where a group of values begins on the stack."""


def read_point(data: bytes) -> dict[str, Any]:
    """A point's id and payload, from its pickle.

    Returns:
        {"id": …, "payload": …} of values that JSON can hold.

    Raises:
        ValueError: no pickle, no point, or a value that JSON can't hold.
    """
    if len(data) > LARGEST_BYTES:
        raise ValueError("the point is too large")
    try:
        point = Reader().read(data)
        if not isinstance(point, Instance) or not is_point_class(point.built_by):
            raise ValueError("the pickle holds no point")
        state = point.state
        fields = state.get("__dict__", state) if isinstance(state, dict) else None
        if not isinstance(fields, dict) or "payload" not in fields:
            raise ValueError("the point has no payload")
        budget = [EXPANSION * len(data)]
        return {name: plain(fields.get(name), budget) for name in ("id", "payload")}
    except (IndexError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("the pickle is broken") from error


def is_point_class(built_by: Any) -> bool:
    """Whether a name is the client's model of a stored point."""
    return (
        isinstance(built_by, Name)
        and built_by.module.startswith("qdrant_client.")
        and built_by.name == "PointStruct"
    )


def plain(value: Any, budget: list[int]) -> Any:
    """A copy of a value made of JSON's own types, as long as the budget lasts."""
    budget[0] -= 1 + (len(value) if isinstance(value, str) else 0)
    if budget[0] < 0:
        raise ValueError("the point says more than it holds")
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(item, budget) for item in value]
    if isinstance(value, dict):
        return {name_of(key, budget): plain(item, budget) for key, item in value.items()}
    raise ValueError("the point holds a value that is neither text, number, list nor mapping")


def name_of(key: Any, budget: list[int]) -> str:
    """A mapping's key, which JSON knows as text only."""
    if not isinstance(key, str):
        raise ValueError("the point holds a mapping whose keys are no texts")
    budget[0] -= len(key)
    return key


class Reader:
    """A stack machine for the opcodes that data needs."""

    def __init__(self) -> None:
        """Empty."""
        self.stack: list[Any] = []
        self.memo: dict[int, Any] = {}
        self.handlers: dict[str, Callable[[Any], None]] = {
            "PROTO": self.skip,
            "FRAME": self.skip,
            "STOP": self.skip,
            "MARK": lambda _: self.stack.append(Mark()),
            "POP": lambda _: self.drop(),
            "POP_MARK": lambda _: self.drop_group(),
            "DUP": lambda _: self.stack.append(self.stack[-1]),
            "NONE": lambda _: self.stack.append(None),
            "NEWTRUE": lambda _: self.stack.append(True),
            "NEWFALSE": lambda _: self.stack.append(False),
            "EMPTY_LIST": lambda _: self.stack.append([]),
            "EMPTY_DICT": lambda _: self.stack.append({}),
            "EMPTY_SET": lambda _: self.stack.append([]),
            "EMPTY_TUPLE": lambda _: self.stack.append(()),
            "LIST": lambda _: self.stack.append(self.group()),
            "TUPLE": lambda _: self.stack.append(tuple(self.group())),
            "FROZENSET": lambda _: self.stack.append(self.group()),
            "DICT": lambda _: self.stack.append(pairs(self.group())),
            "TUPLE1": lambda _: self.take(1, lambda one: (one,)),
            "TUPLE2": lambda _: self.take(2, lambda one, two: (one, two)),
            "TUPLE3": lambda _: self.take(3, lambda one, two, three: (one, two, three)),
            "APPEND": lambda _: self.extend([self.stack.pop()]),
            "APPENDS": lambda _: self.extend(self.group()),
            "ADDITEMS": lambda _: self.extend(self.group()),
            "SETITEM": lambda _: self.update(pairs(self.pop_last(2))),
            "SETITEMS": lambda _: self.update(pairs(self.group())),
            "MEMOIZE": lambda _: self.remember(len(self.memo)),
            "STACK_GLOBAL": lambda _: self.take(2, Name),
            "NEWOBJ": lambda _: self.take(2, Instance),
            "REDUCE": lambda _: self.take(2, built),
            "NEWOBJ_EX": lambda _: self.take(3, lambda name, *rest: Instance(name, rest)),
            "BUILD": lambda _: self.set_state(),
            "GLOBAL": lambda text: self.stack.append(Name(*text.split(" ", 1))),
        }
        for code in ("PUT", "BINPUT", "LONG_BINPUT"):
            self.handlers[code] = self.remember
        for code in ("GET", "BINGET", "LONG_BINGET"):
            self.handlers[code] = lambda place: self.stack.append(self.memo[place])
        for code in VALUE_CODES:
            self.handlers[code] = lambda value: self.stack.append(value)

    def read(self, data: bytes) -> Any:
        """The value that a pickle describes.

        Raises:
            ValueError: no pickle, or an opcode that data does not need.
        """
        for code, argument, _ in pickletools.genops(data):
            handler = self.handlers.get(code.name)
            if handler is None:
                raise ValueError(f"the pickle asks for {code.name}, which no point needs")
            handler(argument)
        return self.stack.pop()

    def skip(self, argument: Any) -> None:
        """Nothing: what frames a pickle says nothing of its value."""

    def drop(self) -> None:
        """Take one value off."""
        self.stack.pop()

    def drop_group(self) -> None:
        """Take all values off that stand above the last mark, and the mark."""
        self.group()

    def group(self) -> list[Any]:
        """The values above the last mark, taken off with it."""
        values: list[Any] = []
        while not isinstance(value := self.stack.pop(), Mark):
            values.append(value)
        return values[::-1]

    def pop_last(self, count: int) -> list[Any]:
        """The last values, taken off."""
        if len(self.stack) < count:
            raise IndexError
        values = self.stack[-count:]
        del self.stack[-count:]
        return values

    def take(self, count: int, make: Callable[..., Any]) -> None:
        """Put what is made of the last values in their place."""
        self.stack.append(make(*self.pop_last(count)))

    def remember(self, place: int) -> None:
        """Keep the last value under a number."""
        self.memo[place] = self.stack[-1]

    def extend(self, values: list[Any]) -> None:
        """Add values to the list on top."""
        top = self.stack[-1]
        (top.arguments if isinstance(top, Instance) else top).extend(values)

    def update(self, values: dict[Any, Any]) -> None:
        """Add entries to the mapping on top."""
        self.stack[-1].update(values)

    def set_state(self) -> None:
        """Give the instance below the top its state."""
        state = self.stack.pop()
        self.stack[-1].state = state


VALUE_CODES = (
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT",
    "STRING", "BINSTRING", "SHORT_BINSTRING", "UNICODE", "BINUNICODE", "SHORT_BINUNICODE",
    "BINUNICODE8", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8",
)  # fmt: skip


def pairs(values: list[Any]) -> dict[Any, Any]:
    """A mapping from keys and values in turn."""
    if len(values) % 2:
        raise IndexError
    return dict(list(pairwise(values))[::2])


def built(function: Any, arguments: Any) -> Instance:
    """What a call would have built; the helpers that only name the class give way to it."""
    if isinstance(function, Name) and function.module in ("copyreg", "copy_reg"):
        return Instance(arguments[0], arguments[1:])
    return Instance(function, arguments)

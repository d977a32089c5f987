"""How a rule becomes template text: literals, tests and macros."""

import re
from collections.abc import Sequence


def matches(pattern: str, expression: str) -> str:
    return f"{{{{ matches({expression}, {jinja_literal(pattern)}) }}}}"


def case(branches: Sequence[str]) -> str:
    return "case\n" + indent("\n".join(branches)) + "\nend"


def macro(signature: str, purpose: str, sql: str) -> str:
    # The formatter of SQL would write the patterns' quotes anew.
    return (
        "-- fmt: off\n"
        f"{{# {purpose} Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}}\n"
        f"{{% macro {signature} %}}\n{indent(sql)}\n{{% endmacro %}}\n"
    )


def indent(text: str, width: int = 4) -> str:
    return "\n".join(f"{' ' * width}{line}" for line in text.splitlines())


def as_template(sql: str) -> str:
    """SQL as template text; as one Jinja literal where Jinja would read it as its own."""
    return f"{{{{ {jinja_literal(sql)} }}}}" if re.search(r"\{[{%#]|[}%#]\}", sql) else sql


def jinja_literal(text: str) -> str:
    """A Jinja string literal that yields the text and holds none of Jinja's delimiters."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    escaped = re.sub(r"[{}%#](?=[{}%#])", lambda match: f"\\x{ord(match[0]):02x}", escaped)
    return "'" + "".join(visible(character) for character in escaped) + "'"


def visible(character: str) -> str:
    if character.isprintable() and character not in "\u20e3\ufe0e\ufe0f":
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"

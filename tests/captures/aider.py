"""A chat history of two chats, and the same file before the second chat had ended."""

from pathlib import Path

FIRST = """
# aider chat started at 2026-05-04 09:00:00

> /usr/bin/aider --model example  \n> Aider v0.86.1  \n>  \n
#### Why is the kiln cold?  \n#### It was lit at noon.  \n
The kiln is cold for two reasons:

#### Fuel

> The wood is wet, says the log.

```text
>>>>>>> REPLACE
```

> Tokens: 3.2k sent, 21 received.  \n
#### /add src/kiln.py  \n> Added src/kiln.py to the chat  \n
#### Use dry beech from now on  \n
#### Use dry beech from now on  \n> ^C again to exit  \n"""
SECOND = """
# aider chat started at 2026-05-05 10:00:00

#### <blank>  \n
#### Which glaze is free of lead?  \n"""
ANSWER = """
The ash glaze is free of lead.

> Tokens: 1k sent.  \n"""
NAME = ".aider.chat.history.md"


def write(folder: Path) -> None:
    """A backup of the history and the history."""
    for place, text in (("before", FIRST + SECOND), ("after", FIRST + SECOND + ANSWER)):
        file = folder / place / "pottery" / NAME
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        (file.parent / ".aider.input.history").write_text("\n# 2026-05-04\n+x\n", encoding="utf-8")

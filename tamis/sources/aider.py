"""aider: one Markdown file of all chats beside the code, to which every chat is appended."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tamis.home import user_folder
from tamis.sources.source import Answer, Document, Record, Skip, Source, compact_json, name_text

CHATS = "aider__chats"
HISTORY = ".aider.chat.history.md"
LEFT_ALONE = {
    ".aider.input.history": "aider's input history: the chat history repeats what was entered",
    ".aider.llm.history": "aider's log of requests to its model: the chat history says the same",
}
BEGIN = re.compile(
    r"^# aider chat started at (?P<moment>[0-9][0-9: -]{0,30}?)[ \t\r]*$", re.MULTILINE
)


def roots(environ: Mapping[str, str], cwd: Path) -> list[Path]:
    """The configured history, and those of the working folder, of those above it and of home."""
    configured = environ.get("AIDER_CHAT_HISTORY_FILE")
    folders = [cwd, *cwd.parents, user_folder(environ)]
    found = [folder / HISTORY for folder in folders if (folder / HISTORY).exists()]
    return [*([Path(configured)] if configured else []), *found]


def recognise(path: Path, head: bytes) -> Answer | None:
    """Histories by their name, and any Markdown that begins as one."""
    if path.name in LEFT_ALONE:
        return Skip(LEFT_ALONE[path.name])
    begins = path.suffix == ".md" and head.lstrip().startswith(b"# aider chat started at ")
    return HISTORY_FILE if begins or path.name == HISTORY else None


def chats(path: Path, text: str) -> Iterator[Record]:
    """One record per chat: its text from its heading to the next one.

    A chat that grew is a new record. It is known by the folder's name and the second in which it
    began; a second chat of that second is told apart by its number.
    """
    folder = name_text(path.parent.name)
    found = list(BEGIN.finditer(text))
    starts = [match.start() for match in found] + [len(text)]
    sections = [("", text[: starts[0]])] if text[: starts[0]].strip() else []
    sections += [
        (match["moment"].strip(), text[match.end() : end].strip("\r\n"))
        for match, end in zip(found, starts[1:], strict=True)
    ]
    seen: Counter[str] = Counter()
    for moment, section in sections:
        seen[moment] += 1
        number = f" ({seen[moment]})" if seen[moment] > 1 else ""
        chat = {"folder": folder, "started": moment, "text": section}
        yield Record(CHATS, f"{folder}/{moment}{number}", compact_json(chat))


HISTORY_FILE = Document(entities=(CHATS,), records=chats)

AIDER = Source(name="aider", entities=(CHATS,), roots=roots, recognise=recognise)

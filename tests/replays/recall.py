"""mem0's recall: its hook and its scores, by tamis's rules and the macros that know who asks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from rendered_models import keyed
from test_ladder import bodies
from test_macros import over

from replays import Case, Replay
from tamis.recall.fusion import bm25_share, by_scores
from tamis.recall.rules import Rules
from tamis.session_keys import is_non_interactive

USER = "alice"
# What the later versions of the plugin have where a setting says nothing.
FLOOR, LIMIT = 0.1, 5


def recall_hook(cases: Sequence[Case]) -> list[list[dict[str, Any]]]:
    """What the hook searches for and tells, turn by turn."""
    return [_turns(case["input"]) for case in cases]


def _turns(asked: dict[str, Any]) -> list[dict[str, Any]]:
    config = asked["config"]
    rules = Rules(
        config.get("searchThreshold", FLOOR),
        limit=config.get("topK", LIMIT),
        broad_needs_both=True,
    )
    seen: set[str] = set()
    answers = []
    for turn in asked["turns"]:
        context = turn.get("ctx") or {}
        key = context.get("sessionKey")
        answers.append(_answer(rules, turn, context, key is not None and key not in seen))
        seen |= {key} if key else set()
    return answers


def _answer(
    rules: Rules, turn: dict[str, Any], context: dict[str, Any], is_new: bool
) -> dict[str, Any]:
    prompt, key = turn["prompt"], context.get("sessionKey")
    (body,) = bodies([prompt])
    (kind,) = over("machine_kind('text')", [prompt])
    if kind or rules.asks_nothing(body) or is_non_interactive(context.get("trigger"), key):
        return {"injected": [], "searches": [], "subagent_preamble": False}
    (asker,) = keyed([{"user_id": USER, "session_key": key}])
    scope = {"threshold": rules.floor, "user_id": asker["namespace"], "run_id": None}
    searches = [{"query": body, "top_k": rules.looked_at, **scope}]
    found = list(turn["results"])
    if rules.is_broad(body, is_new_session=is_new):
        searches.append({"query": "<broad>", "top_k": rules.broad_limit, **scope})
        names = {one["id"] for one in found}
        broad = turn.get("broad", [])[: rules.broad_limit]
        found += [one for one in broad if one["id"] not in names]
    kept = rules.kept([one.get("score") for one in found])[: rules.limit]
    return {
        "injected": [found[place]["id"] for place in kept],
        "searches": searches,
        "subagent_preamble": asker["is_subagent"],
    }


def scores(cases: Sequence[Case]) -> list[list[dict[str, Any]]]:
    return [_ranked(**case["input"]) for case in cases]


def _ranked(
    semantic: list[dict[str, Any]],
    bm25: dict[str, float],
    entity: dict[str, float],
    threshold: float,
    top_k: int,
) -> list[dict[str, Any]]:
    names = [one["id"] for one in semantic]
    meaning = np.array([one.get("score") or 0.0 for one in semantic])
    words, links = (
        np.array([given.get(name, 0.0) for name in names]) if given else None
        for given in (bm25, entity)
    )
    found = by_scores(meaning, words, links, threshold)
    order = [place for place in np.argsort(-found, kind="stable") if not np.isnan(found[place])]
    return [{"id": names[at], "score": round(float(found[at]), 6)} for at in order[:top_k]]


def shares(cases: Sequence[Case]) -> list[float]:
    return [
        round(float(bm25_share(case["input"]["raw"], case["input"]["terms"])), 6) for case in cases
    ]


REPLAYS: dict[str, Replay] = {
    "mem0_core/bm25_normalize": shares,
    "mem0_core/score_and_rank": scores,
    "mem0_openclaw/auto_recall_hook": recall_hook,
}

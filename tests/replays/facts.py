"""What ends a fact and what does not: graphiti's intervals and mem0's updates, by the models."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from fact_stories import BEGIN, Change, Memory, Story, built, versions

from replays import Case


def day(text: str | None) -> float | None:
    """A time of a case in days after the beginning of stories."""
    if text is None:
        return None
    return (datetime.fromisoformat(text).replace(tzinfo=None) - BEGIN).total_seconds() / 86_400


def told(when: datetime | None) -> str | None:
    return None if when is None else f"{when.isoformat()}Z"


def overlap(new: dict[str, Any], candidate: dict[str, Any]) -> bool:
    """Whether both can be true at one time. Where they can't, nobody decides that one replaces the
    other: in tamis an operation that names what had ended as the replacement begins it again."""
    return not any(
        one["invalid_at"] and other["valid_at"] and one["invalid_at"] <= other["valid_at"]
        for one, other in ((new, candidate), (candidate, new))
    )


def graphiti_invalidation(found: Sequence[Case]) -> list[Any]:
    """A contradiction as an operation that supersedes each candidate by the new fact.

    What had an end was retired then. Only a closed interval is expired in graphiti's form: that an
    operation of no later time ends a fact without an interval has no place in it.
    """
    stories: list[Story] = []
    for case in found:
        now = day(case["input"]["now"])
        facts = [case["input"]["new"], *case["input"]["contradicted_candidates"]]
        stories.append(
            (
                [
                    Memory(f"m{n}", fact["fact"], day(fact["valid_at"]))
                    for n, fact in enumerate(facts)
                ],
                [
                    *(
                        Change("retire", f"m{n}", day=day(fact["invalid_at"]))
                        for n, fact in enumerate(facts)
                        if fact["invalid_at"]
                    ),
                    *(
                        Change("supersede", f"m{n}", "m0", now)
                        for n, fact in enumerate(facts)
                        if n > 0 and overlap(facts[0], fact)
                    ),
                ],
            )
        )
    ends = dict(
        versions(stories).rows(
            "select first_event_id, t_invalid"
            ' from {{ ref("int_facts_versioned") }} where version_number = 1'
        )
    )
    answers = []
    for number, case in enumerate(found):
        new, *candidates = (
            {**fact, "invalid_at": told(ends[f"{number}/m{n}/None/None"])}
            for n, fact in enumerate(
                [case["input"]["new"], *case["input"]["contradicted_candidates"]]
            )
        )
        closed = [
            fact
            for fact, given in zip(
                candidates, case["input"]["contradicted_candidates"], strict=True
            )
            if fact["invalid_at"] != given["invalid_at"]
        ]
        for fact in [*closed, *([new] if new["invalid_at"] else [])]:
            fact["expired_at"] = fact["expired_at"] or case["input"]["now"]
        answers.append(
            {"new": new, "candidates": candidates, "invalidated": [f["fact"] for f in closed]}
        )
    return answers


def graphiti_exact_dedup(found: Sequence[Case]) -> list[Any]:
    """Whether a new text is a sighting of an old one. A fact of tamis has no endpoints."""
    build = built(
        [
            (
                [
                    *(
                        Memory(edge["uuid"], edge["fact"], 1.0)
                        for edge in case["input"]["existing"]
                    ),
                    Memory("new", case["input"]["new"]["fact"], 2.0),
                ],
                [],
            )
            for case in found
        ]
    )
    reused = dict(
        build.rows(
            "select news.native_id, min(olds.native_id)"
            " from built.fact_sources as news"
            " inner join built.fact_sources as olds"
            " on news.fact_id = olds.fact_id and news.event_id <> olds.event_id"
            " where news.native_id like '%/new' group by all"
        )
    )
    answers = []
    for number in range(len(found)):
        old = reused.get(f"{number}/new")
        answers.append(
            {"reuse": old.split("/")[1], "append_episode": True} if old else {"reuse": None}
        )
    return answers


def mem0_update_events(found: Sequence[Case]) -> list[Any]:
    """What becomes of memories when a statement comes: none is touched without an operation."""
    build = versions(
        [
            (
                [
                    *(Memory(old["id"], old["text"], 1.0) for old in case["input"]["existing"]),
                    *(
                        Memory(f"new{n}", text, 2.0)
                        for n, text in enumerate(case["input"]["facts"])
                    ),
                ],
                [],
            )
            for case in found
        ]
    )
    standing = {
        (int(event.split("/")[0]), text)
        for event, text in build.rows(
            "select first_event_id, body_hash"
            ' from {{ ref("int_facts_versioned") }} where not is_ended'
        )
    }
    answers = []
    for number, case in enumerate(found):
        olds = case["input"]["existing"]
        known = {old["text"] for old in olds}
        answers.append(
            [
                {
                    "id": old["id"],
                    "event": "NONE" if (number, old["text"]) in standing else "DELETE",
                }
                for old in olds
            ]
            + [
                {"id": "new", "text": text, "event": "ADD"}
                for text in case["input"]["facts"]
                if text not in known and (number, text) in standing
            ]
        )
    return answers


REPLAYS = {
    "adr063_public/graphiti_invalidation": graphiti_invalidation,
    "adr063_public/graphiti_exact_dedup": graphiti_exact_dedup,
    "adr063_public/mem0_update_events": mem0_update_events,
}

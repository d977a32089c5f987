"""Lethe's Memory Git: what a head shows, what contradicts, and what should never be written."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from memory_git_histories import random_history, recursive_order

from replays import Case, Replay
from tamis.memory_git.conflicts import conflicts_between
from tamis.memory_git.context import MemoryContext, memory_context
from tamis.memory_git.history import HistoryError, history_of
from tamis.memory_git.ranking import query_tokens
from tamis.memory_git.records import (
    SHARED_MAIN,
    Changeset,
    LegacyEvent,
    Operation,
    RecordedConflict,
    Repository,
)
from tamis.memory_git.validation import ActiveMemories, operation_problems


def moment(text: str | None) -> datetime | None:
    """A time of a case, in UTC."""
    if text is None:
        return None
    time = datetime.fromisoformat(text)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def operation_of(changeset_id: str, ordinal: int, op: dict[str, Any]) -> Operation:
    return Operation(
        changeset_id,
        ordinal,
        op["op_type"],
        op.get("target_event_id") or "",
        op.get("resulting_event_id") or "",
        written_out(op.get("payload") or {}),
    )


def written_out(value: Any) -> Any:
    """A payload in which long values are given as repeat counts."""
    if isinstance(value, list):
        return [written_out(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$repeat" in value:
        text, count = value["$repeat"]
        return text * count
    if "$repeat_list" in value:
        text, count = value["$repeat_list"]
        return [text] * count
    return {name: written_out(item) for name, item in value.items()}


def changeset_of(told: dict[str, Any], project_id: str) -> Changeset:
    return Changeset(
        told["id"],
        told.get("project_id", project_id),
        told["parents"],
        [operation_of(told["id"], number, op) for number, op in enumerate(told["ops"])],
        told.get("legacy_root", False),
        moment(told.get("created_at")),
        told.get("topic_id", ""),
        told.get("actor_id", ""),
    )


def event_of(told: dict[str, Any]) -> LegacyEvent:
    return LegacyEvent(
        told["event_id"],
        told["event_type"],
        told["content"],
        moment(told["created_at"]),
        told.get("tags") or (),
        told.get("confidence"),
    )


def repository_of(told: dict[str, Any]) -> Repository:
    return Repository(
        told["project_id"],
        [changeset_of(one, told["project_id"]) for one in told["changesets"]],
        told.get("refs", {}),
        [event_of(one) for one in told.get("legacy_events", [])],
        conflicts=[
            RecordedConflict(one["id"], one["left"], one["right"], one["status"])
            for one in told.get("conflicts", [])
        ],
    )


def projections(found: Sequence[Case]) -> list[dict[str, Any]]:
    return [projection(case["input"]) for case in found]


def projection(told: dict[str, Any]) -> dict[str, Any]:
    repository = repository_of(told)
    ref = told.get("ref", SHARED_MAIN)
    try:
        context = memory_context(
            repository, ref, told.get("head", ""), told.get("query", ""), told.get("limit", 0)
        )
    except HistoryError as problem:
        return {"error": str(problem)}
    return answer_of(context)


def answer_of(context: MemoryContext) -> dict[str, Any]:
    return {
        "error": None,
        "head": context.head_changeset_id,
        "history_order": context.history,
        "total_active": context.total_active,
        "memories": [
            {
                "memory_id": memory.memory_id,
                "content": memory.content,
                "kind": memory.kind,
                "scope": memory.scope,
                "status": memory.status,
                "source": memory.source,
                "order": memory.order,
                "evidence": len(memory.evidence),
                "verification": len(memory.verification),
                "score": context.scores[memory.memory_id],
            }
            for memory in context.memories
        ],
        "relationships": [
            [one.from_memory_id, one.to_memory_id, one.kind] for one in context.relationships
        ],
        "unresolved_conflicts": context.unresolved_conflicts,
        "inclusion_reasons": context.inclusion_reasons,
        "exclusion_reasons": context.exclusion_reasons,
    }


def conflicts(found: Sequence[Case]) -> list[dict[str, Any]]:
    return [conflict_answer(case["input"], case["expected"]) for case in found]


def conflict_answer(told: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """All conflicts, and of those that the case asks for the ones that are (not) there.

    Where the case itself knows a better answer, the conflicts stand under that name.
    """
    detected = [
        [one.conflict_type, one.severity]
        for one in conflicts_between(repository_of(told), told["base"], told["left"], told["right"])
    ]
    if "better" in asked:
        return {"better": detected}
    types = {kind for kind, _ in detected}
    answer: dict[str, Any] = {"all_reference": detected}
    if "contains" in asked:
        answer["contains"] = [one for one in asked["contains"] if one in detected]
    if "absent" in asked:
        answer["absent"] = [kind for kind in asked["absent"] if kind not in types]
    return answer


def validations(found: Sequence[Case]) -> list[dict[str, Any]]:
    return [validation(case["input"], case["expected"]) for case in found]


def validation(told: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
    """Whether the operations are accepted and, where it is asked for, what the problem names."""
    operations = [operation_of("new", number, op) for number, op in enumerate(told["ops"])]
    changeset = Changeset("new", told["state"]["project_id"], ("parent",), operations)
    active = ActiveMemories(set(told["state"]["active"]))
    problems = operation_problems(changeset, active)
    answer: dict[str, Any] = {"accepted": not problems}
    word = asked.get("error_mentions")
    if word and any(word in problem.message for problem in problems):
        answer["error_mentions"] = word
    return answer


def tokens(found: Sequence[Case]) -> list[list[str]]:
    return [sorted(query_tokens(case["input"])) for case in found]


def chain_of_21_is_refused() -> bool:
    """A history over the limit, and within it."""
    names = [f"c{number}" for number in range(21)]
    parents = [[], *([name] for name in names)]
    chain = [Changeset(name, "p", above) for name, above in zip(names, parents, strict=False)]
    one = Repository("p", chain, {SHARED_MAIN: names[-1]})
    memory_context(one, longest_history=500)
    return is_refused(one, longest_history=5)


def altered_history_is_refused() -> bool:
    """A changeset that was seen with two contents, below the head that is asked for."""
    altered = Changeset("a", "p", is_altered=True)
    return is_refused(Repository("p", [altered, Changeset("b", "p", ["a"])], {SHARED_MAIN: "b"}))


def is_refused(repository: Repository, **how: int) -> bool:
    try:
        memory_context(repository, **how)
    except HistoryError:
        return True
    return False


def random_graphs_are_read_in_order() -> bool:
    """The order of graphs with one or two parents each, beside that of a recursion."""
    return all(
        [one.changeset_id for one in history_of(Repository("p", graph), graph[-1].changeset_id)]
        == recursive_order({one.changeset_id: one.parent_ids for one in graph}, f"c{count - 1}")
        for count in (25, 60, 120, 1_200)
        for graph in [random_history(count, seed=count, project_id="p")]
    )


# What tamis does of a table in words; it writes no changesets, so nothing of their writing.
RULES = {
    "linear chain of 21 changesets, limit 5": chain_of_21_is_refused,
    "stored message edited by hand": altered_history_is_refused,
    "random DAG n in 25,60,120,1200; 1-2 parents each": random_graphs_are_read_in_order,
}


def integrity(found: Sequence[Case]) -> list[str]:
    """The words of the case where its rule holds."""
    answers = []
    for case in found:
        rule = RULES.get(case["input"][0])
        answers.append(case["expected"] if rule and rule() else "")
    return answers


REPLAYS: dict[str, Replay] = {
    "lethe/dag_projection": projections,
    "lethe/conflicts": conflicts,
    "lethe/semantic_validation": validations,
    "lethe/query_tokens": tokens,
    "lethe/integrity_rules": integrity,
}

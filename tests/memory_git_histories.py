"""Histories for tests of Memory Git, and a second, plainer account of what they must show."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tamis.memory_git.records import Changeset, Operation, Repository

PROJECT = "garden"


def operation(changeset_id: str, ordinal: int, op_type: str, **told: Any) -> Operation:
    """An operation; `target` and `result` are its columns, all else is its payload."""
    return Operation(
        changeset_id, ordinal, op_type, told.pop("target", ""), told.pop("result", ""), told
    )


def changeset(
    changeset_id: str,
    parents: Sequence[str] = (),
    *operations: tuple[str, Mapping[str, Any]],
    project_id: str = PROJECT,
) -> Changeset:
    """A changeset of operations, each a type and what it tells."""
    return Changeset(
        changeset_id,
        project_id,
        parents,
        [
            operation(changeset_id, number, kind, **told)
            for number, (kind, told) in enumerate(operations)
        ],
    )


def random_history(count: int, seed: int, project_id: str = PROJECT) -> list[Changeset]:
    """A graph of changesets with one or two parents each, made of anything that came before.

    Each makes a memory, and every second one retires another.
    """
    numbers = random.Random(seed)
    changesets = [changeset("c0", project_id=project_id)]
    for number in range(1, count):
        before = min(number, 2)
        parents = numbers.sample(range(number), numbers.randint(1, before))
        op_type = numbers.choice(["add_memory", "supersede_memory"])
        target = f"mem:c{numbers.randrange(number)}:0" if op_type == "supersede_memory" else ""
        text = (op_type, {"content": f"memory {number}", "target": target})
        above = [f"c{one}" for one in parents]
        changesets.append(changeset(f"c{number}", above, text, project_id=project_id))
    return changesets


def recursive_order(parents: Mapping[str, Sequence[str]], head: str) -> list[str]:
    """The order of a history as the contract words it: the parents' histories, then the head."""
    order: dict[str, None] = {}

    def visit(one: str) -> None:
        if one not in order:
            for parent in parents[one]:
                visit(parent)
            order[one] = None

    visit(head)
    return list(order)


def plain_projection(repository: Repository, head: str) -> dict[str, tuple[str, str, int]]:
    """The text, status and order of each memory that is active at a head."""
    parents = {one.changeset_id: one.parent_ids for one in repository.changesets}
    history = [repository.by_id[one] for one in recursive_order(parents, head)]
    memories: dict[str, tuple[str, str, int]] = {}
    retired: dict[str, tuple[str, str, int]] = {}
    order = 0
    for root in (one for one in history if one.is_legacy_root):
        for event in repository.baseline_of(root):
            order += 1
            memories[event.event_id] = (event.content, "active", order)
    for one in (operation for changeset in history for operation in changeset.operations):
        order += 1
        target, result = one.target_event_id, one.resulting_event_id
        made = result or f"mem:{one.changeset_id}:{one.ordinal}"
        text = one.payload.get("content", "")
        if one.op_type == "correct_memory":
            known = {**retired, **memories}.get(target)
            if known and result not in ("", target):
                retired[target] = known
                memories.pop(target, None)
            if known:
                memories[result or target] = (text or known[0], "active", order)
        if one.op_type in ("supersede_memory", "mark_duplicate") and target in memories:
            retired[target] = memories.pop(target)
        if one.op_type in ("add_memory", "supersede_memory") and text:
            memories[made] = (text, "active", order)
        if one.op_type == "propose_deprecation" and target in memories:
            memories[target] = (memories[target][0], "deprecation_proposed", order)
        if one.op_type in ("attach_evidence", "attach_verification") and target in memories:
            memories[target] = (*memories[target][:2], order)
    return memories

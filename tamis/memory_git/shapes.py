"""What is wrong with an operation in itself, whatever the history before it.

Beyond what Lethe checks before it writes:

- A correction must not put a model's guess in the place of what the user approved, as a supersede
  must not: both replace the value.
- Whatever gives a memory its fields is checked for them. Lethe checks kind, confidence and tags
  where a memory is added only, so that a correction can write what an addition could not.
"""

import json
from collections.abc import Callable, Iterator

from tamis.memory_git.records import Operation, Payload, is_number, text_of

KINDS = ("observation", "fact", "decision", "task", "flag", "record")
VISIBILITIES = ("private", "internal", "shared", "public")
APPROVED_TRUST = "user_approved"
GUESSED_TRUSTS = ("inference", "model_inference")

LARGEST_PAYLOAD_BYTES = 64 << 10
LONGEST_TEXT_BYTES = {"content": 16 << 10, "summary": 4 << 10, "reason": 4 << 10, "note": 4 << 10}
LONGEST_FIELD_BYTES = 1 << 10
LONGEST_TAG_BYTES = 128
MOST_TAGS = 64

# Where a reviewed or picked operation came from: one of them makes an attestation without a target.
PROVENANCE_KEYS = (
    "reviewer",
    "proposal_id",
    "source_changeset_id",
    "rejected_from",
    "cherrypicked_from",
    "left_branch",
    "right_branch",
)
COMMON_KEYS = frozenset(
    ("summary", "project_id", "topic_id", "actor_id", "from_visibility", "to_visibility")
).union(PROVENANCE_KEYS)
MEMORY_KEYS = COMMON_KEYS.union(
    ("content", "kind", "event_type", "scope", "visibility", "tags", "confidence"),
    ("fact_key", "subject", "valid_from", "valid_to", "protected", "approval"),
)
ATTESTATION_KEYS = COMMON_KEYS.union(("kind", "source", "note", "status"))
ALLOWED_KEYS = {
    "add_memory": MEMORY_KEYS.union(("memory_id", "event_id")),
    "correct_memory": MEMORY_KEYS.union(("target_trust", "source_trust")),
    "supersede_memory": MEMORY_KEYS.union(
        ("memory_id", "event_id", "target_trust", "source_trust")
    ),
    "mark_duplicate": COMMON_KEYS.union(("duplicate_id", "duplicate_of")),
    "add_relationship": COMMON_KEYS.union(("kind", "from_memory_id", "to_memory_id")),
    "propose_deprecation": COMMON_KEYS.union(("reason",)),
    "attach_evidence": ATTESTATION_KEYS,
    "attach_verification": ATTESTATION_KEYS,
}


def shape_problems(operation: Operation) -> Iterator[str]:
    """What is wrong with an operation, one line each."""
    if operation.op_type not in SHAPES:
        yield "unsupported type of operation"
        return
    yield from size_problems(operation)
    for key in sorted(set(operation.payload) - ALLOWED_KEYS[operation.op_type]):
        yield f"payload.{key} is not supported"
    yield from SHAPES[operation.op_type](operation)


def size_problems(operation: Operation) -> Iterator[str]:
    """What is too large to be one memory's."""
    if size_of(json.dumps(operation.payload, separators=(",", ":"), ensure_ascii=False)) > (
        LARGEST_PAYLOAD_BYTES
    ):
        yield f"payload exceeds {LARGEST_PAYLOAD_BYTES} bytes"
    for column in ("target_event_id", "resulting_event_id"):
        if size_of(getattr(operation, column)) > LONGEST_FIELD_BYTES:
            yield f"{column} exceeds {LONGEST_FIELD_BYTES} bytes"
    for key, value in operation.payload.items():
        longest = LONGEST_TEXT_BYTES.get(key, LONGEST_FIELD_BYTES)
        if isinstance(value, str) and size_of(value) > longest:
            yield f"payload.{key} exceeds {longest} bytes"


def size_of(text: str) -> int:
    """The bytes of a text."""
    return len(text.encode("utf-8", "surrogatepass"))


def memory_problems(payload: Payload) -> Iterator[str]:
    """What is wrong with the fields that a payload gives a memory."""
    if "kind" in payload and payload["kind"] not in KINDS:
        yield f"payload.kind is none of {', '.join(KINDS)}"
    if "scope" in payload and not text_of(payload, "scope"):
        yield "payload.scope is no text, or an empty one"
    if "visibility" in payload and payload["visibility"] not in VISIBILITIES:
        yield f"payload.visibility is none of {', '.join(VISIBILITIES)}"
    confidence = payload.get("confidence", 0)
    if not is_number(confidence) or not 0 <= confidence <= 1:
        yield "payload.confidence is no number from 0 to 1"
    yield from tag_problems(payload.get("tags", []))


def tag_problems(tags: object) -> Iterator[str]:
    """What is wrong with a memory's tags."""
    if not isinstance(tags, list):
        yield "payload.tags is no list"
        return
    if len(tags) > MOST_TAGS:
        yield f"payload.tags has more than {MOST_TAGS} tags"
    if not all(isinstance(tag, str) and tag for tag in tags):
        yield "payload.tags holds what is no text, or an empty one"
    if any(isinstance(tag, str) and size_of(tag) > LONGEST_TAG_BYTES for tag in tags):
        yield f"payload.tags holds a tag of more than {LONGEST_TAG_BYTES} bytes"


def add_problems(operation: Operation) -> Iterator[str]:
    """What is wrong with an added memory."""
    if not operation.content.strip():
        yield "payload.content is no text, or an empty one"
    yield from identity_problems("resulting", made_names(operation))
    yield from memory_problems(operation.payload)


def correct_problems(operation: Operation) -> Iterator[str]:
    """What is wrong with a correction."""
    if not operation.target_event_id:
        yield "target_event_id is missing"
    elif operation.resulting_event_id == operation.target_event_id:
        yield "resulting_event_id is its own target"
    if not operation.payload:
        yield "payload corrects nothing"
    yield from trust_problems(operation.payload)
    yield from memory_problems(operation.payload)


def supersede_problems(operation: Operation) -> Iterator[str]:
    """What is wrong with a supersede."""
    if not operation.target_event_id:
        yield "target_event_id is missing"
    elif operation.target_event_id in made_names(operation).values():
        yield "a memory can't supersede itself"
    yield from identity_problems("replacement", made_names(operation))
    yield from trust_problems(operation.payload)
    yield from memory_problems(operation.payload)


def duplicate_problems(operation: Operation) -> Iterator[str]:
    """What is wrong with a mark of a duplicate."""
    yield from identity_problems(
        "duplicate", channels(operation, "target_event_id", "payload.duplicate_id")
    )
    yield from identity_problems(
        "original", channels(operation, "resulting_event_id", "payload.duplicate_of")
    )
    yield from pair_problems(operation.duplicate_id, operation.original_id, "duplicate, original")


def relationship_problems(operation: Operation) -> Iterator[str]:
    """What is wrong with a relationship."""
    yield from identity_problems(
        "from", channels(operation, "target_event_id", "payload.from_memory_id")
    )
    yield from identity_problems(
        "to", channels(operation, "resulting_event_id", "payload.to_memory_id")
    )
    yield from pair_problems(operation.from_id, operation.to_id, "from, to")
    if not text_of(operation.payload, "kind"):
        yield "payload.kind is no text, or an empty one"


def deprecation_problems(operation: Operation) -> Iterator[str]:
    """What is wrong with a proposal to deprecate."""
    if not operation.target_event_id:
        yield "target_event_id is missing"
    if not text_of(operation.payload, "reason"):
        yield "payload.reason is no text, or an empty one"


def attachment_problems(operation: Operation) -> Iterator[str]:
    """What is wrong with evidence or a verification; without a target it attests a review."""
    payload = operation.payload
    if not payload:
        yield "payload is empty"
    elif not operation.target_event_id:
        if not text_of(payload, "summary"):
            yield "without a target, payload.summary is needed"
        if not any(text_of(payload, key) for key in PROVENANCE_KEYS):
            yield f"without a target, one of {', '.join(PROVENANCE_KEYS)} is needed"


SHAPES: dict[str, Callable[[Operation], Iterator[str]]] = {
    "add_memory": add_problems,
    "correct_memory": correct_problems,
    "supersede_memory": supersede_problems,
    "mark_duplicate": duplicate_problems,
    "add_relationship": relationship_problems,
    "propose_deprecation": deprecation_problems,
    "attach_evidence": attachment_problems,
    "attach_verification": attachment_problems,
}


def identity_problems(role: str, names: dict[str, str]) -> Iterator[str]:
    """Channels that name different memories for one role; those that agree are one name."""
    if len({name for name in names.values() if name}) > 1:
        yield f"ambiguous {role} memory: {', '.join(names)} disagree"


def pair_problems(one: str, other: str, roles: str) -> Iterator[str]:
    """What is wrong with the two memories of an operation."""
    if not one or not other:
        yield f"two memories are needed: {roles}"
    elif one == other:
        yield f"two different memories are needed: {roles}"


def trust_problems(payload: Payload) -> Iterator[str]:
    """A guess in the place of what the user approved."""
    if is_downgrade(payload):
        yield "a model's guess can't replace what the user approved"


def is_downgrade(payload: Payload) -> bool:
    """Whether a payload says that it puts a guess in the place of what the user approved."""
    is_guess = text_of(payload, "source_trust") in GUESSED_TRUSTS
    return is_guess and text_of(payload, "target_trust") == APPROVED_TRUST


def made_names(operation: Operation) -> dict[str, str]:
    """What each channel calls the memory that an operation makes."""
    return channels(operation, "resulting_event_id", "payload.memory_id", "payload.event_id")


def channels(operation: Operation, *names: str) -> dict[str, str]:
    """What columns and fields of the payload name, by their names."""
    return {
        name: text_of(operation.payload, name.removeprefix("payload."))
        if name.startswith("payload.")
        else getattr(operation, name)
        for name in names
    }

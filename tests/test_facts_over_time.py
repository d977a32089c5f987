"""Facts over time: what an explicit change ends, what it begins again, and what it leaves alone."""

from collections.abc import Sequence

from fact_stories import Change, Memory, facts

OLD = Memory("m1", "We deploy with Heroku", 1)
NEW = Memory("m2", "We deploy with Fly", 5)


STORIES: list[tuple[Sequence[Memory], Sequence[Change], list[str]]] = [
    (  # The new fact's day ends the old one.
        [OLD, NEW],
        [Change("supersede", "m1", "m2", 5)],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Nothing ends without an operation, however alike two statements are.
        [OLD, NEW],
        [],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-*"],
    ),
    (  # What is older than what it replaces is born ended.
        [OLD, NEW],
        [Change("supersede", "m2", "m1", 6)],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Retired: it ends, and nothing takes its place.
        [OLD],
        [Change("retire", "m1", day=3)],
        ["We deploy with Heroku 1-3"],
    ),
    (  # An operation of the same moment ends it too; no interval is made up.
        [OLD, Memory("m2", "We deploy with Fly", 1)],
        [Change("supersede", "m1", "m2", 1)],
        ["We deploy with Fly 1-*", "We deploy with Heroku 1-"],
    ),
    (  # So does one whose day nobody noted.
        [Memory("m1", "We deploy with Heroku", None)],
        [Change("retire", "m1")],
        ["We deploy with Heroku -"],
    ),
    (  # A, B, A again by operations: A is true twice, with a gap.
        [OLD, NEW, Memory("m3", "We deploy with Heroku", 9)],
        [Change("supersede", "m1", "m2", 5), Change("supersede", "m2", "m3", 9)],
        [
            "We deploy with Fly 5-9",
            "We deploy with Heroku 1-5",
            "We deploy with Heroku 9-*",
        ],
    ),
    (  # Saying it again revives nothing: no operation took the ending back.
        [OLD, NEW, Memory("m3", "We deploy with Heroku", 9)],
        [
            Change("supersede", "m1", "m2", 5),
            Change("duplicate", "m3", "m1", 10),
        ],
        ["We deploy with Fly 5-*", "We deploy with Heroku 1-5"],
    ),
    (  # Reopened: it stands again from that day, though nobody said it anew.
        [OLD],
        [Change("retire", "m1", day=3), Change("reopen", "m1", day=7)],
        ["We deploy with Heroku 1-3", "We deploy with Heroku 7-*"],
    ),
    (  # What the store still says elsewhere was not taken back.
        [OLD, Memory("m2", "We deploy with Heroku", 2)],
        [Change("retire", "m1", day=3)],
        ["We deploy with Heroku 1-*"],
    ),
    (  # A duplicate of the same words ends nothing.
        [OLD, Memory("m2", "We deploy with Heroku", 2)],
        [Change("duplicate", "m2", "m1", 3)],
        ["We deploy with Heroku 1-*"],
    ),
    (  # Twins that add to each other both stand.
        [OLD, Memory("m2", "We deploy with Heroku on Fridays", 2)],
        [Change("duplicate", "m9", "m1", 3)],
        ["We deploy with Heroku 1-*", "We deploy with Heroku on Fridays 2-*"],
    ),
]


def test_facts_over_time() -> None:
    found = facts([(memories, changes) for memories, changes, _ in STORIES])
    assert found == [expected for _, _, expected in STORIES]
    turned = [(memories[::-1], changes[::-1]) for memories, changes, _ in STORIES]
    assert facts(turned) == found

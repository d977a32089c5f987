"""How much of what was selected fits a budget of tokens: whole items, the best first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tamis.context.rendering import estimated_tokens, rendered


@dataclass(frozen=True)
class Fitted:
    """What fits, and the text that it makes.

    Attributes:
        memories: how many memories fit, counted from the best.
        has_summary: whether the summary fits beside them.
        events: how many of the last events fit beside both, counted from the newest.
        text: the text of all that fits.
        accepted_text: the text of the memories alone.
    """

    memories: int
    has_summary: bool
    events: int
    text: str
    accepted_text: str


def fitted(
    opening: str,
    memories: Sequence[str],
    summary: Sequence[str],
    events: Sequence[str],
    budget: int,
) -> Fitted:
    """Drop whole items until the text fits: the lowest-ranked memories, the oldest events.

    Accepted memory has the budget first, then the summary, then the events. A memory is never cut:
    one that is too long for the budget leaves no room for those below it either, since a shown
    memory never ranks below a dropped one.

    Args:
        opening: the preamble.
        memories: rendered memories, the best first.
        summary: the rendered summary, or none.
        events: rendered events, oldest first.
        budget: the most tokens of the whole text.
    """

    def fits(text: str) -> bool:
        return estimated_tokens(text) <= budget

    kept = most(len(memories), lambda count: fits(rendered(opening, memories[:count], (), ())))
    chosen = memories[:kept]
    accepted_text = rendered(opening, chosen, (), ())
    digest = summary if fits(rendered(opening, chosen, summary, ())) else ()
    newest = most(
        len(events), lambda count: fits(rendered(opening, chosen, digest, last(events, count)))
    )
    text = rendered(opening, chosen, digest, last(events, newest))
    return Fitted(kept, bool(digest), newest, text, accepted_text)


def most(count: int, fits: Callable[[int], bool]) -> int:
    """The largest number of items that fits; more items never take less room."""
    while count and not fits(count):
        count -= 1
    return count


def last(items: Sequence[str], count: int) -> Sequence[str]:
    """The last items, of which there may be none."""
    return items[len(items) - count :]

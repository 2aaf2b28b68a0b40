"""Searching for the place where something starts to hold, or stops: doubling and bisection, once.

Proposals rest on these, certificates do not: a search that a lack of monotony misleads costs an attack and no promise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

Holds = Callable[[int], bool]
ROUNDS = 12  # queries and what they afford depend on each other; this many steps settle them


class Asks(Protocol):
    """What is proposed, by how many queries it asks."""

    @property
    def queries(self) -> int:
        """In all."""


Found = TypeVar("Found", bound=Asks)


def settled(
    make: Callable[[Found | None], Found | None], proved: Callable[[Found], bool], rounds: int = ROUNDS
) -> Found | None:
    """Alternate between the error for so many queries and the queries for an error: the fewest that are proved.

    `make` takes what the last step made, None at first, and makes what its queries afford; None: nothing. What follows
    the best is no better, so that the first that is not ends the search.
    """
    best: Found | None = None
    before: Found | None = None
    for _ in range(rounds):
        found = make(before)
        if found is None:
            return best
        if proved(found) and (best is None or found.queries < best.queries):
            best, again = found, before is not None and before.queries == found.queries
        else:
            again = best is not None or before == found
        if again:
            return best
        before = found
    return best


def first_between(holds: Holds, low: int, high: int) -> int:
    """The first place above `low` from which on it holds, where it does not at `low` and does at `high`."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def first(holds: Holds, count: int) -> int | None:
    """The first of `count` places from which on it holds; None: it does not even at the last."""
    return first_between(holds, -1, count - 1) if count > 0 and holds(count - 1) else None


def first_above(holds: Holds, low: int, most: int | None = None) -> int | None:
    """The first place above `low` from which on it holds, by doubling from 1 on; None: at none up to `most`."""
    high = max(1, low + 1)
    while not holds(high):
        low, high = high, 2 * high
        if most is not None and high > most:
            return None
    return first_between(holds, low, high)


def last_between(holds: Holds, low: int, high: int) -> int:
    """The last place below `high` up to which it holds, where it does at `low` and does not at `high`."""
    return first_between(lambda place: not holds(place), low, high) - 1


def largest(holds: Holds, most: int) -> int:
    """The largest m <= most that holds, by doubling and bisection; 0: not even 1 does."""
    low, high = 0, 1
    while high <= most and holds(high):
        low, high = high, 2 * high
    return last_between(holds, low, min(high, most + 1))

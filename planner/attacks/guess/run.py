"""The guess as an attack: it asks nothing, and returns what it knew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from planner.attacks.attack import InconsistentScores, Informed, Listed

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class GuessAttack(Informed, Listed):
    """No query, and the guess for an answer."""

    id = "guess"

    def queries(self) -> Iterator[Query]:
        """None."""
        return iter(())

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The guess; there is nothing to decode."""
        if list(scores):
            raise InconsistentScores("a score for an attack that asks none")
        return self.guess.copy()

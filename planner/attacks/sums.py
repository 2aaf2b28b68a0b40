"""Attacks where the sum of charges is shown: what they read is the mean, and a sum of n charges is n times that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from planner.attacks.attack import Attack, InconsistentScores
from planner.attacks.scores import exact_score

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction


class OfSums(Attack):
    """An attack on means, asked of a board that shows sums."""

    def __init__(self, attack: Attack, parts: int) -> None:
        self.attack = attack
        self.parts = parts
        self.id, self.adaptive = attack.id, attack.adaptive

    def knowing(self, guess: Labels | None) -> OfSums:
        """The same attack by somebody with this guess."""
        return OfSums(self.attack.knowing(guess), self.parts)

    def queries(self) -> Iterator[Query]:
        """The same submissions."""
        return self.attack.queries()

    def decode(self, scores: Iterable[Any]) -> Labels:
        """Each sum is divided before it is read."""
        return self.attack.decode([self._mean(score) for score in scores])

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask, divide, decode and verify."""
        return self.attack.recover(lambda query: self._mean(score(query)))

    def _mean(self, shown: Any) -> Any:
        """The n-th part of what is shown, exactly; what is no finite number says the same of a mean."""
        try:
            return exact_score(shown) / self.parts
        except InconsistentScores:
            return shown

"""What every runnable attack offers, whatever its mathematics: listed attacks and adaptive ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Query = NDArray[Any]  # (N,) prediction of class 1, or (N, K); float64, or exact rationals as objects
    Labels = NDArray[Any]  # (N,) integers in 0..K-1; -1 where an attack does not speak of a label
    ScoreFunction = Callable[[NDArray[Any]], Any]


class InconsistentScores(ValueError):  # noqa: N818 - a fact about the scores
    """No labeling explains the scores within the bound the attack was certified for."""


class Attack(ABC):
    """An attack with its parameters fixed.

    It verifies what it decoded against the scores that it saw, and raises InconsistentScores rather than guess.
    """

    id: str  # its name in the catalogue
    adaptive: bool  # whether a query depends on earlier scores

    @abstractmethod
    def queries(self) -> Iterator[Query]:
        """The submissions, one at a time; raises TypeError for an adaptive attack."""

    @abstractmethod
    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels that explain the scores; raises TypeError for an adaptive attack."""

    @abstractmethod
    def recover(self, score: ScoreFunction) -> Labels:
        """Ask, decode and verify."""


class Listed(Attack):
    """An attack whose queries are known before it sees a score."""

    adaptive = False

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask one query after the other, then decode."""
        return self.decode([score(query) for query in self.queries()])


class Adaptive(Attack):
    """An attack whose queries depend on earlier scores: it can only be run against a scorer."""

    adaptive = True

    def queries(self) -> Iterator[Query]:
        """Not to be had: queries depend on answers."""
        raise TypeError(f"{self.id} is adaptive: use recover(score)")

    def decode(self, scores: Iterable[Any]) -> Labels:
        """Not to be had: queries depend on answers."""
        raise TypeError(f"{self.id} is adaptive: use recover(score)")

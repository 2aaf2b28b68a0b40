"""What every runnable attack offers, whatever its mathematics."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Query = NDArray[Any]  # (N,) probability of class 1, or (N, K); float64, or exact rationals as objects
    Labels = NDArray[Any]  # (N,) integers in 0..K-1; -1 where an attack does not speak of a label
    ScoreFunction = Callable[[NDArray[Any]], Any]


class InconsistentScores(ValueError):  # noqa: N818 - a fact about the scores
    """No labeling explains the scores within the bound the attack was certified for."""


class Attack(Protocol):
    """An attack with its parameters fixed.

    Non-adaptive attacks list their queries before they see a score; adaptive ones only `recover`. An attack
    verifies what it decoded against the scores it saw, and raises InconsistentScores rather than guess.
    """

    @property
    def id(self) -> str:
        """The attack's name in the catalogue."""
        ...

    @property
    def adaptive(self) -> bool:
        """Whether a query depends on earlier scores."""
        ...

    def queries(self) -> Iterator[Query]:
        """The submissions, one at a time; raises TypeError for an adaptive attack."""
        ...

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels that explain the scores; raises TypeError for an adaptive attack."""
        ...

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask, decode and verify."""
        ...

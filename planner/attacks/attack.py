"""What every runnable attack offers, whatever its mathematics: listed attacks and adaptive ones."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.channel.channel import Channel

    Query = NDArray[Any]  # (N,) prediction of class 1, or (N, K); float64, or exact rationals as objects
    Labels = NDArray[Any]  # (N,) integers in 0..K-1; UNKNOWN or NOT_SCORED where an attack tells no label
    ScoreFunction = Callable[[NDArray[Any]], Any]


UNKNOWN, NOT_SCORED = -1, -2
"""In the place of a label: the attack does not speak of it; the row is known not to be scored."""


class InconsistentScores(ValueError):  # noqa: N818 - a fact about the scores
    """No labeling explains the scores within the bound the attack was certified for."""


class WorseGuess(InconsistentScores):
    """The scores say that the guess has more labels wrong than the attack was certified for, and how many (at least)."""

    def __init__(self, wrong: int, allowed: int, or_more: bool = False) -> None:
        many = f"{wrong:,} labels or more" if or_more else f"{wrong:,} labels"
        super().__init__(f"the guess has {many} wrong, and this attack is certified for {allowed:,} at most")
        self.wrong, self.allowed = wrong, allowed
        self.counted = None if or_more else wrong  # exactly


class Attack(ABC):
    """An attack with its parameters fixed.

    It verifies what it decoded against the scores that it saw, and raises InconsistentScores rather than guess.
    """

    id: str  # its name in the catalogue
    adaptive: bool  # whether a query depends on earlier scores

    def knowing(self, guess: Labels | None) -> Attack:
        """The same attack by somebody with this guess of all labels; most attacks need none."""
        return self

    @abstractmethod
    def queries(self) -> Iterator[Query]:
        """The submissions, one at a time; raises TypeError for an adaptive attack."""

    @abstractmethod
    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels that explain the scores; raises TypeError for an adaptive attack."""

    @abstractmethod
    def recover(self, score: ScoreFunction) -> Labels:
        """Ask, decode and verify."""


class Informed(Attack):
    """An attack that starts from a guess of all labels: all 0, or all of the commoner class, until it is told another."""

    def __init__(self, channel: Channel) -> None:
        import numpy as np

        self.channel = channel
        self.guess: Labels = np.full(channel.rows, channel.commoner, dtype=np.int64)

    def knowing(self, guess: Labels | None) -> Informed:
        """The same attack by somebody with this guess; which of its labels are wrong, the attack finds out."""
        if guess is None:
            return self
        from copy import copy

        import numpy as np

        held = np.asarray(guess)
        if held.shape != (self.channel.rows,) or held.dtype.kind not in "iub":
            raise ValueError(f"a guess holds {self.channel.rows} integers, one label a row")
        if len(held) and not 0 <= int(held.min()) <= int(held.max()) < self.channel.classes:
            raise ValueError(f"a guess holds labels in 0..{self.channel.classes - 1}")
        told = copy(self)
        told.guess = held.astype(np.int64)
        return told


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

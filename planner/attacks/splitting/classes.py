"""The classes of the rows whose guess is wrong: a design on these rows, wherever they are, all others idle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores
from planner.attacks.design.parameters import DesignStages
from planner.attacks.design.run import DesignAttack
from planner.attacks.numbers import idle
from planner.channel.channel import Channel
from planner.numerics.lockless import cached_property

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction


class ClassesOfRows(DesignAttack):
    """A design for no more rows than it was certified for; it bears the errors of its certificate."""

    def __init__(self, id: str, channel: Channel, certified: DesignStages, rows: NDArray[Any]) -> None:
        super().__init__(id, channel, replace(certified, queries=certified.listed or 0, labels=len(rows)))
        self.certified, self.rows = certified, rows

    @cached_property
    def tolerance(self) -> float:
        """Of all rows that were reckoned with, and of all queries."""
        return DesignAttack(self.id, self.channel, self.certified).tolerance

    def classes(self, score: ScoreFunction, guess: Labels) -> NDArray[Any]:
        """The class of each row; the design's own rows are put where these are."""

        def moved(query: Query) -> Any:
            placed = idle(self.channel, exact=False)
            placed[self.rows] = query[: len(self.rows)]
            return score(placed)

        found: NDArray[Any] = self.recover(moved)[: len(self.rows)]
        if (found == guess[self.rows]).any():
            raise InconsistentScores("a guess that was counted as wrong comes out right")
        return found

"""Deterministic rounding as an exact comparator.

A rounded score says on which side of a boundary the sum of charges lies. Rows whose total charge the attacker can
set at will, the offset, move any sum so that a boundary falls midway between two values that it may have; the
score then says which, however few decimals are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores
from planner.attacks.levels import Rows
from planner.attacks.scores import exact_score
from planner.attacks.threshold.parameters import DIGIT_SLACK, Thresholds
from planner.channel.metrics.base import Level, Metric
from planner.channel.sides import Sides, sides_of

if TYPE_CHECKING:
    from planner.attacks.attack import ScoreFunction

NEWTON_STEPS = 60


@dataclass(frozen=True)
class Offset:
    """Rows at log-odds +w (or -w where turned), and how many of them pay for it or save by it."""

    rows: NDArray[Any]
    turned: NDArray[Any]
    payers: tuple[float, float]  # labels that pay for w: among the rows at +w, among those at -w
    savers: tuple[float, float]  # labels charged w less

    @classmethod
    def counted(cls, rows: NDArray[Any], ones: float) -> Offset:
        """Rows of which `ones` are labelled 1, turned to the side on which most of them pay."""
        zeros = len(rows) - ones
        if ones <= zeros:
            return cls(rows, np.zeros(len(rows), dtype=bool), (zeros, 0), (ones, 0))
        return cls(rows, np.ones(len(rows), dtype=bool), (0, ones), (0, zeros))

    @classmethod
    def known(cls, rows: NDArray[Any], labels: NDArray[Any]) -> Offset:
        """Rows whose labels are known: all of them can be made to pay."""
        ones = int(labels.sum())
        return cls(rows, labels.astype(bool), (len(rows) - ones, ones), (0, 0))

    def with_ones(self, ones: int) -> Offset:
        """The same rows, turned alike, of which `ones` are labelled 1."""
        zeros = len(self.rows) - ones
        if self.turned.any():
            return Offset(self.rows, self.turned, (0, ones), (0, zeros))
        return Offset(self.rows, self.turned, (zeros, 0), (ones, 0))

    @property
    def ones(self) -> float:
        """How many of the rows are labelled 1."""
        return self.savers[0] + self.payers[1]

    def charge(self, w: float, sides: Sides, metric: Metric) -> float:
        """What the rows are charged at weight w; it rises with w from the least offset on."""
        ones = sum(sides)
        zeros = len(sides) - ones
        up = (self.payers[0] + self.savers[0]) * metric.payment(w, zeros, ones)
        down = (self.payers[1] + self.savers[1]) * metric.payment(w, ones, zeros)
        return up + down - sum(self.savers) * w

    def slope(self, w: float, sides: Sides, metric: Metric) -> float:
        """How fast the charge rises."""
        ones = sum(sides)
        zeros = len(sides) - ones
        up = (self.payers[0] + self.savers[0]) * metric.slope(w, zeros, ones)
        down = (self.payers[1] + self.savers[1]) * metric.slope(w, ones, zeros)
        return up + down - sum(self.savers)

    def weight(self, charge: float, sides: Sides, metric: Metric) -> float:
        """The w for a charge: Newton's method on a convex rising function falls to the root from the right."""
        w = charge / sum(self.payers)
        for _ in range(NEWTON_STEPS):
            step = (self.charge(w, sides, metric) - charge) / self.slope(w, sides, metric)
            w -= step
            if abs(step) < 1e-14 * w:
                break
        return w

    def realised(self, up: Level, down: Level) -> float:
        """The charge that float64 makes of it."""
        paid = self.payers[0] * up.zero + self.payers[1] * down.one
        return paid + self.savers[0] * up.one + self.savers[1] * down.zero


@dataclass(frozen=True)
class Answer:
    """What a comparison showed, in units of the last decimal, against which boundary, and its offset's predictions."""

    shown: int
    boundary: int
    offset: Offset
    up: Level
    down: Level

    @property
    def cheaper(self) -> bool:
        """Whether the sum of charges lies below the boundary."""
        return self.shown <= self.boundary

    @property
    def shift(self) -> float:
        """The charge of the offset rows as float64 makes it."""
        return self.offset.realised(self.up, self.down)


class Comparator:
    """Asks a scorer that rounds, and reads its answers as comparisons."""

    def __init__(self, setting: Thresholds, score: ScoreFunction, bit: int = 0) -> None:
        self.setting = setting
        self.sides = sides_of(setting.classes, bit)
        self._score = score
        self._unit = float(setting.unit)

    def level(self, weight: float) -> Level:
        """The prediction with these log-odds of the side of label 1."""
        return self.setting.scored_by.level(weight, self.setting.columns, self.sides)

    def least(self, offset: Offset) -> float:
        """The smallest charge that an offset is used at."""
        return offset.charge(self.setting.least_offset, self.sides, self.setting.scored_by)

    def explains(self, total: float, shown: int, deviation: float = 0.0) -> bool:
        """Whether a sum of charges can be shown so, floating-point error and its own deviation included."""
        p = self.setting
        return abs(total - p.centre(shown)) <= float(p.cell) / 2 + p.tolerance + deviation

    def require_explained(self, total: float, shown: int, deviation: float = 0.0) -> None:
        """Refuse labels that predict a sum of charges which cannot be shown so."""
        if not self.explains(total, shown, deviation):
            raise InconsistentScores("the labels found do not explain all scores: is there noise?")

    def ask(
        self, levels: Sequence[Level], codes: NDArray[Any], offset: Offset | None = None, charge: float = 0.0
    ) -> tuple[int, float]:
        """The score in units of the last decimal, and the charge that the offset rows really made."""
        if offset is None:
            return self._shown(levels, codes), 0.0
        answer = self._with_offset(levels, codes, offset, charge, 0)
        return answer.shown, answer.shift

    def compare(self, levels: Sequence[Level], codes: NDArray[Any], middle: float, offset: Offset) -> Answer:
        """Whether the rows outside the offset are charged less than `middle`, to which they never come near."""
        boundary = self.setting.boundary_above(middle + self.least(offset))
        return self._with_offset(levels, codes, offset, self.setting.boundary(boundary) - middle, boundary)

    def _with_offset(
        self, levels: Sequence[Level], codes: NDArray[Any], offset: Offset, charge: float, boundary: int
    ) -> Answer:
        w = offset.weight(charge, self.sides, self.setting.scored_by)
        up, down = self.level(w), self.level(-w)
        codes = codes.copy()
        codes[offset.rows] = np.where(offset.turned, len(levels) + 1, len(levels))
        return Answer(self._shown([*levels, up, down], codes), boundary, offset, up, down)

    def _shown(self, levels: Sequence[Level], codes: NDArray[Any]) -> int:
        score = self._score(Rows(levels, codes, self.sides).submission(self.setting.columns))
        units = float(exact_score(score)) / self._unit
        if abs(units - round(units)) > DIGIT_SLACK:
            raise InconsistentScores(f"the score {score!r} is not a multiple of {self._unit:g}")
        return round(units)

"""Deterministic rounding as an exact comparator.

A rounded score says on which side of a boundary the sum of charges lies. Rows whose total charge the attacker can
set at will, the offset, move any sum so that a boundary falls midway between two values that it may have; the
score then says which, however few decimals are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, isfinite
from typing import TYPE_CHECKING, Any

from dsl.records import dataclass
from planner.attack import InconsistentScores
from planner.attacks.levels import Level, Rows, level
from planner.rounded import DIGIT_SLACK, Thresholds, payment
from planner.sides import Sides, sides_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.attack import ScoreFunction

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
        import numpy as np

        zeros = len(rows) - ones
        if ones <= zeros:
            return cls(rows, np.zeros(len(rows), dtype=bool), (zeros, 0), (ones, 0))
        return cls(rows, np.ones(len(rows), dtype=bool), (0, ones), (0, zeros))

    @classmethod
    def known(cls, rows: NDArray[Any], labels: NDArray[Any]) -> Offset:
        """Rows whose labels are known: all of them can be made to pay."""
        ones = int(labels.sum())
        return cls(rows, labels.astype(bool), (len(rows) - ones, ones), (0, 0))

    @property
    def ones(self) -> float:
        """How many of the rows are labelled 1."""
        return self.savers[0] + self.payers[1]

    def charge(self, w: float, sides: Sides) -> float:
        """What the rows are charged at log-odds w; it rises with w from the least offset on."""
        ones = sum(sides)
        zeros = len(sides) - ones
        up = (self.payers[0] + self.savers[0]) * payment(w, zeros, ones)
        down = (self.payers[1] + self.savers[1]) * payment(w, ones, zeros)
        return up + down - sum(self.savers) * w

    def slope(self, w: float, sides: Sides) -> float:
        """How fast the charge rises."""
        ones = sum(sides)
        zeros = len(sides) - ones
        up = (self.payers[0] + self.savers[0]) / (1 + zeros / ones * exp(-w))
        down = (self.payers[1] + self.savers[1]) / (1 + ones / zeros * exp(-w))
        return up + down - sum(self.savers)

    def log_odds(self, charge: float, sides: Sides) -> float:
        """The w for a charge: Newton's method on a convex rising function falls to the root from the right."""
        w = charge / sum(self.payers)
        for _ in range(NEWTON_STEPS):
            step = (self.charge(w, sides) - charge) / self.slope(w, sides)
            w -= step
            if abs(step) < 1e-14 * w:
                break
        return w

    def realised(self, up: Level, down: Level) -> float:
        """The charge that float64 makes of it."""
        paid = self.payers[0] * up.zero + self.payers[1] * down.one
        return paid + self.savers[0] * up.one + self.savers[1] * down.zero


class Comparator:
    """Asks a scorer that rounds, and reads its answers as comparisons."""

    def __init__(self, setting: Thresholds, score: ScoreFunction, bit: int = 0) -> None:
        self.setting = setting
        self.sides = sides_of(setting.classes, bit)
        self._score = score
        self._unit = float(setting.unit)

    def level(self, weight: float) -> Level:
        """The prediction with these log-odds of the side of label 1."""
        return level(weight, self.setting.columns, self.sides)

    def least(self, offset: Offset) -> float:
        """The smallest charge that an offset is used at."""
        return offset.charge(self.setting.least_offset, self.sides)

    def explains(self, total: float, shown: int) -> bool:
        """Whether a sum of charges can be shown so, floating-point error included."""
        p = self.setting
        return abs(total - p.centre(shown)) <= float(p.cell) / 2 + p.tolerance

    def ask(
        self, levels: Sequence[Level], codes: NDArray[Any], offset: Offset | None = None, charge: float = 0.0
    ) -> tuple[int, float]:
        """The score in units of the last decimal, and the charge that the offset rows really made."""
        import numpy as np

        extra: list[Level] = []
        realised = 0.0
        if offset is not None:
            w = offset.log_odds(charge, self.sides)
            extra = [self.level(w), self.level(-w)]
            realised = offset.realised(*extra)
            codes = codes.copy()
            codes[offset.rows] = np.where(offset.turned, len(levels) + 1, len(levels))
        rows = Rows([*levels, *extra], codes, self.sides)
        return self._read(self._score(rows.submission(self.setting.columns))), realised

    def cheaper(self, levels: Sequence[Level], codes: NDArray[Any], middle: float, offset: Offset) -> bool:
        """Whether the rows outside the offset are charged less than `middle`, to which they never come near."""
        boundary = self.setting.boundary_above(middle + self.least(offset))
        shown, _ = self.ask(levels, codes, offset, self.setting.boundary(boundary) - middle)
        return shown <= boundary

    def _read(self, score: Any) -> int:
        units = float(score) / self._unit
        if not isfinite(units) or abs(units - round(units)) > DIGIT_SLACK:
            raise InconsistentScores(f"the score {score!r} is not a multiple of {self._unit:g}")
        return round(units)

"""H, Hadamard averaging: every label in every query at full weight, read off by correlation."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from planner.attacks.spread.parameters import HadamardMean
from planner.attacks.spread.run import Pass, SpreadAttack


class HadamardAttack(SpreadAttack):
    """One label a block. Up to `wrong` labels may come out wrong."""

    id = "hadamard"

    def __init__(self, parameters: HadamardMean) -> None:
        self.wrong = parameters.wrong
        super().__init__(parameters)

    def question(self, bit: int) -> Pass:
        """A pass that reads every column by itself."""
        return HadamardPass(self.parameters, bit, self.wrong)


class HadamardPass(Pass):
    """One bit of every label; each wrong one moves every score by W/N."""

    def __init__(self, parameters: Any, bit: int, wrong: int) -> None:
        super().__init__(parameters, bit)
        self.wrong = wrong

    def read(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Each column by which of 0 and 1 is nearer."""
        nearer: NDArray[Any] = (sums[: self.parameters.labels, 0] > 0.5).astype(int)
        return nearer

    def allowed(self) -> float:
        """The tolerance, and what wrong labels add."""
        return super().allowed() + self.wrong * self.parameters.gap / self.parameters.rows

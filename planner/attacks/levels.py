"""Rows of a submission of few different predictions, each by its number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.channel.metrics.base import Level
from planner.channel.sides import BINARY, Sides


@dataclass(frozen=True)
class Rows:
    """A submission: each row's level, by number."""

    levels: Sequence[Level]
    codes: NDArray[Any]
    sides: Sides = BINARY

    def submission(self, columns: int) -> NDArray[Any]:
        """The probabilities, of shape (N,) or (N, K)."""
        table = np.array([each.entries(columns, self.sides) for each in self.levels])
        chosen: NDArray[Any] = table[self.codes]
        return chosen[:, 0] if columns == 1 else chosen

"""The Matthews correlation, computed."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from backends.metrics.counting import Counted, Table

ROOT_BITS = 96


class Mcc(Counted):
    """The correlation of labels and predicted classes."""

    id = "mcc"
    function = "matthews_corrcoef"

    def score(self, table: Table) -> Fraction:
        """0 where either are all alike; a root to many digits."""
        predicted = table.right_ones + table.wrong_ones
        square = predicted * (table.rows - predicted) * table.ones * table.zeros
        if not square:
            return Fraction(0)
        root = Fraction(isqrt(square << 2 * ROOT_BITS), 1 << ROOT_BITS)
        return (table.right_ones * table.right_zeros - table.wrong_ones * table.missed_ones) / root


MCC = Mcc()

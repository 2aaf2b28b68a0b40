"""Blocks among rows of ones, as they run: digits of a sum to which idle rows add next to nothing."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from flint import arb

from planner.attacks.digits.run import DigitAttack
from planner.attacks.explained import Allowance
from planner.attacks.numbers import prediction_array
from planner.attacks.ones.certify import charge, heaviest, largest_loss
from planner.attacks.ones.parameters import OnesBlock

if TYPE_CHECKING:
    from planner.attacks.attack import Query


class OnesAttack(DigitAttack):
    """One submission a block of labels, all other rows of ones."""

    parameters: OnesBlock

    def _idle_rows(self) -> tuple[tuple[Fraction, ...], ...]:
        return ((self.parameters.idle,),)

    def _idle(self) -> Query:
        entry = prediction_array([self.parameters.idle], exact=self.exact)
        query = np.empty((self.channel.rows, self.channel.classes), dtype=entry.dtype)
        query[:] = entry[0]
        return query

    def _idle_charge(self) -> arb:
        return charge(self.parameters.idle)

    def _away(self) -> arb:
        return arb(0)

    def _loss(self) -> arb:
        return largest_loss(self.channel, self.parameters)

    def _error(self) -> arb:
        return self.errors.sum_error(self._loss(), heaviest(self.parameters.rows, self.parameters.idle))

    def _allowed(self, gap: arb, away: arb) -> Allowance:
        return Allowance.at_most(self.channel, self._error(), self._loss(), gap)

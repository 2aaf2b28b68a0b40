"""Base-K digits: a block of labels of K classes a query, the paper's missing noisy multiclass attack."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.attacks.attack import Attack
from planner.attacks.costs import block_cost, polynomial_bits, queries_for
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, LOGARITHMIC, MORE_CLASSES
from planner.model import Refusal
from planner.numerics.reals import ball, brief, ceil_of, lower, upper
from planner.numerics.search import largest

if TYPE_CHECKING:
    from planner.attacks.digits.parameters import DigitBlock

MOST_ROWS = 256  # rows that a plan writes out one by one
MOST_CLASSES = 2**12  # written out in a fifth of a second; a design for more tells more labels a query
MOST_ENTRIES = 2**12  # probabilities of all its rows together
MOST_BITS = 2**14  # the longest probability that it writes out


class Digits(Theorem["DigitBlock"]):
    """t_i(k) = k K^i g: the sum of charges in units of g has the labels as its digits."""

    id = "digits"
    title = "Base-K digits in blocks"
    cite = "Theorem U, K levels a row"
    statement = (
        "Row i of a block charges class k with k K^i g more than class 0. The sum of charges over g, written in base K, "
        "then lists the block's classes. r = ceil(log_K(T/(2E(K-1)))) rows fit, T = -ln c - ln K."
    )
    conditions = ("K > 2", "(2E + 2 dev) (K-1) < T, dev for a 1/K off the grid")

    def propose(self, channel: Channel) -> Proposal[DigitBlock] | tuple[Refusal, ...]:
        """The most rows that the certifier accepts."""
        reasons = (
            self.unmet(channel, LOGARITHMIC)
            or self.unmet(channel, MORE_CLASSES, see="block")
            or self.unmet(channel, COLUMN_A_CLASS)
        )
        if reasons:
            return reasons
        if channel.classes > MOST_CLASSES:
            need = f"at most {MOST_CLASSES:,} classes, whose probabilities a plan writes out (see batches)"
            return (self.refuse(channel, "K", need, f"K = {channel.classes:,}: about {channel.classes >> 14} s a row"),)
        found = _most_certified(channel)
        if found is not None:
            return _cost(channel, found)
        return self._too_noisy(channel)

    def _too_noisy(self, channel: Channel) -> tuple[Refusal, ...]:
        """Why not even one label a query is certified."""
        row = _block(channel, 1) if _spread(channel) > 0 else None
        if row is not None:
            return self.failed(channel, certify(channel, row))
        have = f"T = {brief(_spread(channel))}"
        return (self.refuse(channel, "phi", "a row of K different probabilities that the format carries", have),)

    def build(self, channel: Channel, parameters: DigitBlock) -> Attack:
        """A runnable digit attack."""
        from planner.attacks.digits.run import DigitAttack

        return DigitAttack(self.id, channel, parameters)


def _spread(channel: Channel) -> arb:
    """T, or the largest spread whose probabilities are still written out."""
    reach = channel.metric.class_reach(channel)
    free = min(polynomial_bits(channel), MOST_BITS) * arb(2).log()
    return ball(lower(reach)).min(free) if reach.is_finite() else free


def _written_rows(channel: Channel) -> int:
    """How many rows a plan writes out: fewer, where each has many probabilities."""
    return min(MOST_ROWS, max(1, MOST_ENTRIES // channel.classes))


def _most_rows(channel: Channel) -> int:
    least = 2 * channel.errors(1).sum_error(ball(channel.classes).log() / 2) * (channel.classes - 1)
    if not least.is_finite() or not _spread(channel) > 0:
        return 0
    if not least > 0:
        return min(channel.wanted, _written_rows(channel))
    most = ceil_of(lambda: (_spread(channel) / least).log() / ball(channel.classes).log()) + 1
    return max(0, min(channel.wanted, _written_rows(channel), most))


def _most_certified(channel: Channel) -> DigitBlock | None:
    """The block with the most rows. The bound on them is mostly met, or all but one: that is tried first."""
    most = largest(lambda m: _plausible(channel, m), _most_rows(channel))
    for m in range(most, max(0, most - 2), -1):
        found = _certified(channel, m)
        if found is not None:
            return found
    m = largest(lambda m: _certified(channel, m) is not None, max(0, most - 2))
    return _certified(channel, m) if m else None


def _plausible(channel: Channel, m: int) -> bool:
    """Whether m rows could be certified, for all that is known before they are written: twice their step is above 2E."""
    step = _spread(channel) / ((channel.classes - 1) * arb(channel.classes) ** (m - 1))
    widened = 1 + channel.law.factor()
    loss = ball(channel.classes).log() * max(0, channel.scored - m) / channel.scored
    return not widened * 2 * step <= 2 * channel.errors(queries_for(channel, m)).sum_error(loss)


def _certified(channel: Channel, m: int) -> DigitBlock | None:
    parameters = _block(channel, m)
    return parameters if parameters is not None and certify(channel, parameters).holds else None


def _block(channel: Channel, m: int) -> DigitBlock | None:
    """Steps g, K g, K^2 g, ..., with g as large as T allows."""
    from planner.attacks.digits.parameters import DigitBlock

    wide = _spread(channel) * (1 - arb(2) ** -20) / ((channel.classes - 1) * arb(channel.classes) ** (m - 1))
    rows = [_row(channel, ball(upper(wide * arb(channel.classes) ** i))) for i in range(m)]
    if any(row is None for row in rows):
        return None
    return DigitBlock(queries_for(channel, m), channel.wanted, tuple(row for row in rows if row is not None))


def _row(channel: Channel, step: arb) -> tuple[Fraction, ...] | None:
    """Probabilities proportional to exp(-k step), in the channel's format; class 0 takes what rounding leaves."""
    fades = [(-k * step).exp() for k in range(channel.classes)]
    total = sum(fades, arb(0))
    row = [channel.submission.round_down(lower(fade / total)) for fade in fades]
    if any(p is None for p in row):
        return None
    rest = 1 - sum((p for p in row[1:] if p is not None), Fraction(0))
    first = row[0] if channel.submission.floating else rest
    return tuple(p for p in (first, *row[1:]) if p is not None)


def _cost(channel: Channel, parameters: DigitBlock) -> Proposal[DigitBlock]:
    from planner.attacks.digits.certify import smallest_step

    bits = max(0, ceil_of(lambda: (channel.scored / smallest_step(parameters.rows)).log() / arb(2).log()))
    longest = max(p.denominator.bit_length() for row in parameters.rows for p in row)
    return block_cost(channel, parameters, parameters.m, bits, longest)

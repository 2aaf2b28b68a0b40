"""Rows of ones: where rows need not sum to 1, idle rows are charged next to nothing, and errors stop growing with N."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from flint import arb

from planner.attacks.attack import Attack
from planner.attacks.costs import block_cost, queries_for
from planner.attacks.surest import nearly_one
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import ANY_SUMS, LOGARITHMIC
from planner.channel.errors import Errors
from planner.model import Refusal
from planner.numerics.reals import ball, brief, ceil_of, lower, upper, working
from planner.numerics.search import largest

if TYPE_CHECKING:
    from planner.attacks.ones.parameters import OnesBlock

MOST_ENTRIES = 2**12  # numbers that a plan writes out
SPARED = arb(2) ** -30  # part of W that rounding entries may take
DECADES = 3  # powers of ten below the largest loss that are tried where digits are relative


class RowsOfOnes(Theorem["OnesBlock"]):
    """Active rows from one clip to the other, idle rows of ones."""

    id = "ones"
    title = "Blocks among rows of ones"
    cite = "Theorem U, rows that need not sum to 1"
    statement = (
        "A scorer that charges rows as they are charges a row of ones next to nothing, whatever its label. With all idle "
        "rows of ones the loss is that of the block alone: row i gives class k the entry e^(-k s_i), s_i above the spread of "
        "all rows before it and 2E. Errors that grow with the loss no longer grow with N: r = ceil(log_K(W/(2E(K-1)))) "
        "labels fit a query with E = T (additions + 9) 2^-53, T = W K/(K-1), or half a unit of the last significant digit."
    )
    conditions = ("a column a class, charged as it is whatever it sums to", "2E (K-1) < W")

    def propose(self, channel: Channel) -> Proposal[OnesBlock] | tuple[Refusal, ...]:
        """The most rows that the certifier accepts."""
        reasons = self.unmet(channel, LOGARITHMIC) or self.unmet(channel, ANY_SUMS)
        if reasons:
            return reasons
        if channel.exact_scores:
            return (self.refuse(channel, "phi", "scores with an error", "exact ones: one query suffices"),)
        found = most_rows(channel)
        if found is not None:
            return _cost(channel, found)
        error = 2 * channel.errors(channel.wanted).sum_error(arb(0), arb(0))
        have = f"2E (K-1) = {brief(error * (channel.classes - 1))} at least"
        return (self.refuse(channel, self.deciding(channel), f"2E (K-1) < W = {brief(_reach(channel))}", have),)

    def build(self, channel: Channel, parameters: OnesBlock) -> Attack:
        """A runnable attack."""
        from planner.attacks.ones.run import OnesAttack

        return OnesAttack(self.id, channel, parameters)


def most_rows(channel: Channel) -> OnesBlock | None:
    """The largest certified block, for as many labels as are wanted."""
    most = max(1, MOST_ENTRIES // channel.classes)
    # Only chances are shared among all queries: otherwise one block serves any number of labels beyond its own.
    alike = channel if channel.random else replace(channel, wanted=min(channel.wanted, most + 1), budget=None)
    found = _most_rows(alike, min(most, channel.wanted))
    return None if found is None else replace(found, queries=queries_for(channel, found.m), labels=channel.wanted)


@lru_cache(maxsize=4)
def _most_rows(channel: Channel, most: int) -> OnesBlock | None:
    with working(channel.working_bits):
        idle = nearly_one(channel)
        reach = _reach(channel)
        if idle is None or not (reach.is_finite() and reach > 0):
            return None
        m = largest(lambda m: _certified(channel, idle, m) is not None, most)
        return _certified(channel, idle, m) if m else None


def _reach(channel: Channel) -> arb:
    """W: a row gives one class next to all and another next to nothing, and the rest of the classes what it likes."""
    return channel.reach() * (1 - SPARED)


def _certified(channel: Channel, idle: Fraction, m: int) -> OnesBlock | None:
    for step in _steps(channel, idle, m):
        block = _ascending(channel, idle, m, step)
        if block is not None and certify(channel, block).holds:
            return block
    return None


def _steps(channel: Channel, idle: Fraction, m: int) -> Iterator[arb]:
    """Distances to keep between sums: a little over 2E at a loss that is not exceeded, or all that W allows."""
    errors = channel.errors(queries_for(channel, m))
    share = (channel.classes - 1) * arb(channel.classes) ** (m - 1)
    if channel.law.grows:
        yield _reach(channel) / share * (1 - arb(2) ** -8)
        return
    for loss in _losses(channel, idle, errors):
        step = 2 * errors.sum_error(loss, _reach(channel)) * (1 + arb(2) ** -40)
        if step * share < _reach(channel):
            yield step


def _losses(channel: Channel, idle: Fraction, errors: Errors) -> Iterator[arb]:
    """Bounds on the loss: all rows together charge W K/(K-1) at most, and idle rows their own; or a power of ten."""
    K, rows = channel.classes, channel.scored
    most = _reach(channel) * Fraction(K, K - 1).numerator / Fraction(K, K - 1).denominator / rows - ball(idle).log()
    if not channel.digits.grows:
        yield most * (1 + arb(2) ** -20)
        return
    places = ceil_of(lambda: most.log() / arb(10).log())
    for place in range(places, places - DECADES, -1):
        decade = arb(10) ** place
        yield (decade - errors.constant()) / (1 + errors.relative()) * (1 - arb(2) ** -60)


def _ascending(channel: Channel, idle: Fraction, m: int, step: arb) -> OnesBlock | None:
    """m rows, each with the least steps that the format carries above the spread of the rows before it and `step`."""
    from planner.attacks.ones.parameters import OnesBlock

    if not (step.is_finite() and step > 0):
        return None
    rows: list[tuple[Fraction, ...]] = []
    low = arb(0)
    for _ in range(m):
        row = _row(channel, idle, ball(upper(low + step)))
        if row is None:
            return None
        rows.append(row)
        low += (ball(row[0]) / ball(row[-1])).log()
    return OnesBlock(queries_for(channel, m), channel.wanted, tuple(rows), idle)


def _row(channel: Channel, first: Fraction, step: arb) -> tuple[Fraction, ...] | None:
    """Entries each at least a step below the one before, as the format has them."""
    row, fade = [first], (-step).exp()
    for _ in range(channel.classes - 1):
        entry = channel.submission.round_down(lower(ball(row[-1]) * fade))
        if entry is None or not channel.metric.takes(channel, entry):
            return None
        row.append(entry)
    return tuple(row)


def _cost(channel: Channel, parameters: OnesBlock) -> Proposal[OnesBlock]:
    from planner.attacks.digits.certify import smallest_step  # seldom needed

    bits = max(0, ceil_of(lambda: (channel.scored / smallest_step(parameters.rows)).log() / arb(2).log()))
    longest = max(p.denominator.bit_length() for row in parameters.rows for p in row)
    return block_cost(channel, parameters, parameters.m, bits, longest)

"""Labels of a secret part of the rows: which rows are scored is not asked."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING, ClassVar

from planner.attacks.attack import Attack
from planner.attacks.corners import Parts, bits_read, corner_error, digits_of
from planner.attacks.corners import reach as corner_span
from planner.attacks.design.theorem import FAMILIES, ROOM, ROUNDS, Family, rounded_down
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, CORNERED, COUNT_KNOWN, FLOATING_PREDICTIONS, PART_SCORED
from planner.channel.sides import bits_of
from planner.designs.base import Design, DesignError
from planner.designs.chooser import best_design
from planner.model import Refusal
from planner.numerics.reals import ball, brief, lower
from planner.numerics.search import last_between

if TYPE_CHECKING:
    from planner.attacks.split_labels.parameters import SplitLabels

REACHES = 12  # parts of W that are tried where errors grow with the score
TOPS = 12  # parts of W that are tried where predictions near 1 are coarse
ONE_COLUMN = Fraction(36)  # log-odds of the prediction next to 1 that float64 has
STEPS = 8  # of the fixed point that the best smallest weight is
PARTS = 12  # of W, halved again and again, that smallest weights are tried below it where rests are squares
LEAST_PART = 0.002  # of W, that the smallest weight has at least


class SplitLabelsOnce(Theorem["SplitLabels"]):
    """The labels alone, in one round."""

    id = "split-labels"
    title = "Labels of a secret part of the rows"
    cite = "corner rows; Theorem U"
    statement = (
        "Only n of the N rows are scored, and which ones is secret. Let every row charge class 0 next to nothing and class 1 "
        "a weight between w and W: a row that is not scored then reads like one of class 0, and whether a row is scored and "
        "of class 1 is a question of two answers. Any design asks it of all N rows, its entries about the middle weight; one "
        "query more counts the rows of class 1. The error is that of n rows, E = n eps, and n rests of at most ln(1 + e^-w). "
        "Of more classes each binary digit of the class is asked about, all classes that have it being dear."
    )
    of_a_part = True
    conditions: ClassVar[tuple[str, ...]] = (
        "a part of the rows is scored, and n is known",
        "gap > 2 (E + dev), W - w >= 2 gap x amplitude",
        "predictions in floating point",
    )

    def propose(self, channel: Channel) -> Proposal[SplitLabels] | tuple[Refusal, ...]:
        """The fewest queries over all designs for the amplitude that the corner affords."""
        reasons = self.unmet(channel, PART_SCORED, CORNERED, COUNT_KNOWN, FLOATING_PREDICTIONS, COLUMN_A_CLASS)
        if reasons:
            return reasons
        reach = corner_span(channel, digits_of(channel))
        if not reach > 0:
            return (self.refuse(channel, "clip", "a row that tells its classes apart", f"W = {brief(reach)}"),)
        found = [one for family in FAMILIES if (one := _settle(channel, family, lower(reach))) is not None]
        best = min(found, key=lambda one: one.queries, default=None)
        return _cost(channel, best) if best is not None else self._too_coarse(channel, lower(reach))

    def _too_coarse(self, channel: Channel, reach: Fraction) -> tuple[Refusal, ...]:
        """Why not even a design of amplitude 1 is certified."""
        design = best_design(channel.wanted, Fraction(1))
        least, most = corner_of(channel, (design.M + 1) * bits_of(channel.classes), reach)
        return self.failed(channel, certify(channel, _record(channel, design, least, most)))

    def build(self, channel: Channel, parameters: SplitLabels) -> Attack:
        """A runnable attack."""
        from planner.attacks.split_labels.run import SplitLabelsAttack

        return SplitLabelsAttack(self.id, channel, parameters)


def _settle(channel: Channel, family: Family, reach: Fraction) -> SplitLabels | None:
    """Alternate between the error for so many queries and the design for an error, until the certifier agrees."""
    from planner.attacks.split_labels.certify import prove

    queries, best = max(1, channel.wanted // 8), None
    for _ in range(ROUNDS):
        least, most = corner_of(channel, queries, reach)
        design = design_for(family, channel.wanted, amplitude_of(channel, queries, least, most))
        if design is None:
            return best
        found = _record(channel, design, least, most)
        if prove(channel, found).holds:
            if best is not None and best.queries <= found.queries:
                return best
            best = found
        elif best is not None:
            return best
        queries = found.queries
    return best


def _record(channel: Channel, design: Design, least: Fraction, most: Fraction) -> SplitLabels:
    """The design about the middle of these weights, its gap stretched to fill them."""
    from planner.attacks.split_labels.parameters import SplitLabels

    gap = rounded_down((most - least) / 2 / design.amplitude)
    centre = rounded_down(most - gap * design.amplitude)
    digits = bits_of(channel.classes)
    return SplitLabels((design.M + 1) * digits, channel.wanted, design, gap, centre, digits)


def corner_of(channel: Channel, queries: int, reach: Fraction, parts: Parts | None = None) -> tuple[Fraction, Fraction]:
    """The weights that give the largest amplitude."""
    tops = [reach]
    if channel.digits.grows or channel.law.grows:
        tops = [reach * part / REACHES for part in range(REACHES, 2, -1)]
    pairs = [(least, top) for top in tops for least in _leasts(channel, queries, top, parts)]
    return max(pairs, key=lambda pair: amplitude_of(channel, queries, pair[0], pair[1], parts))


def _leasts(channel: Channel, queries: int, most: Fraction, parts: Parts | None) -> Iterator[Fraction]:
    """Smallest weights worth trying: (W - w)/(2 E + n e^-w) is largest where 2 E + n e^-w = (W - w) n e^-w."""
    if not channel.metric.logarithmic:
        yield from (most * (1 - Fraction(1, 2**part)) for part in range(1, PARTS))
        return
    error, W = float(corner_error(channel, queries, ball(most), ball(most), parts)), float(most)
    floor = LEAST_PART * W
    least = W / 2
    for _ in range(STEPS):
        wanted = channel.scored * max(W - least - 1, exp(-W)) / (2 * error) if 0 < error < float("inf") else 1.0
        least = min(max(log(wanted), floor), W * (1 - LEAST_PART))
    yield Fraction(least)
    yield Fraction(max(floor, min(least + 1, W * (1 - LEAST_PART))))
    yield Fraction(max(floor, least - 1))


def amplitude_of(
    channel: Channel, queries: int, least: Fraction, most: Fraction, parts: Parts | None = None
) -> Fraction:
    """Half of the weights' range over the gap that the error demands, a little on the safe side."""
    error = corner_error(channel, queries, ball(least), ball(most), parts)
    if not error.is_finite() or not error > 0:
        return Fraction(0)
    return lower(ball(most - least) / (4 * error) * (1 - ball(ROOM)))


def tops(channel: Channel, reach: Fraction, grows: bool = False) -> list[Fraction]:
    """Largest weights worth trying of rows of either class: all of W, unless that costs precision.

    In one column the complement of a prediction near 1 is coarse, and there is none beyond what float64 parts from 1.
    """
    if channel.columns > 1 and not grows:
        return [reach]
    top = min(reach, ONE_COLUMN) if channel.columns == 1 else reach
    return [top * part / TOPS for part in range(TOPS, 2, -1)]


def design_for(family: Family, n: int, amplitude: Fraction) -> Design | None:
    """The family's smallest design, if there is one."""
    try:
        return family(n, amplitude, 2)
    except DesignError:
        return None


def _cost(channel: Channel, p: SplitLabels) -> Proposal[SplitLabels]:
    from planner.attacks.split_labels.certify import labels_error

    M = p.queries
    bits = bits_read(channel, p.gap, lambda: labels_error(channel, p))
    return Proposal(
        p,
        Fraction(p.labels, M),
        precision_bits=bits,
        prediction_bits=64,
        operations=2 * M * max(M.bit_length(), 1) + p.labels,
        memory=8 * channel.rows * (channel.columns + 4) + 64 * M,
        within=lambda queries: _within(p, queries // p.digits - 1),
    )


def _within(p: SplitLabels, queries: int) -> int:
    """The most rows that designs of the same amplitude hold in so many queries: bisection."""

    def holds(some: int) -> bool:
        found = design_for(best_design, some, p.design.amplitude)
        return found is not None and queries >= found.M

    return last_between(holds, 0, p.labels + 1)

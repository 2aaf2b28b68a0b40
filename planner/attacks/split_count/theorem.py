"""Few scored rows of many, by counting and halving."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from planner.attacks.affording import ROOM, amplitude_of, charges_of, corner_of, design_of_members, rounded_down, tops
from planner.attacks.attack import Attack
from planner.attacks.corners import bits_read, known_error
from planner.attacks.corners import reach as corner_span
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import (
    ADAPTIVE,
    COLUMN_A_CLASS,
    COUNT_KNOWN,
    FLOATING_PREDICTIONS,
    LOGARITHMIC,
    PART_SCORED,
)
from planner.designs.base import Design, DesignError
from planner.designs.chooser import best_design
from planner.model import Refusal
from planner.numerics.reals import ball, brief, lower
from planner.numerics.search import ROUNDS, settled

if TYPE_CHECKING:
    from planner.attacks.split_count.parameters import SplitCount

MOST_AMPLITUDE = 2**40  # float64 holds every weight, and the decoder's integers stay short
NONE = Fraction(0)


class SplitCounts(Theorem["SplitCount"]):
    """Members are few: count them, cut, count again."""

    id = "split-count"
    title = "Few scored rows of many, by counts"
    cite = "Lindström 1965; group testing by counts"
    statement = (
        "All rows at the largest weight: the score counts the rows that are scored and not of class 0. A part of the rows "
        "whose count is known is cut, and the counts of its pieces are digits of one Hermite-Lindström design; knowing the "
        "parent's count centres the weights. About n log2(N/n) bits are read this way, for every labeling and every split, "
        "where a design that is planned ahead reads N. A design tells the classes of the rows found, and where the split "
        "is wanted those of class 0 are counted and cut in the same way, with the whole of W."
    )
    partial = False
    conditions: ClassVar[tuple[str, ...]] = (
        "a part of the rows is scored, and n is known",
        "queries may be adaptive",
        "unit > 2 (E + dev), W - w >= 2 units",
        "predictions in floating point",
    )

    def propose(self, channel: Channel) -> Proposal[SplitCount] | tuple[Refusal, ...]:
        """The largest amplitudes that the channel affords, and the queries that then suffice for certain."""
        needed = PART_SCORED, LOGARITHMIC, ADAPTIVE, COUNT_KNOWN, FLOATING_PREDICTIONS, COLUMN_A_CLASS
        reasons = self.unmet(channel, *needed)
        if reasons:
            return reasons
        reach = corner_span(channel, ((channel.classes - 1, 1),))
        if not reach > 0:
            return (self.refuse(channel, "clip", "a row that tells its classes apart", f"W = {brief(reach)}"),)
        found = _settle(channel, lower(reach))
        return _cost(channel, found) if found is not None else self._too_coarse(channel, lower(reach))

    def _too_coarse(self, channel: Channel, reach: Fraction) -> tuple[Refusal, ...]:
        """Why not even the least amplitudes are certified."""
        from planner.attacks.split_count.certify import LEAST_AMPLITUDE

        least, most = corner_of(channel, channel.rows, reach, ((channel.classes - 1, 1),))
        few = LEAST_AMPLITUDE
        members = (best_design(channel.scored, Fraction(1)),) if channel.classes > 2 else ()
        return self.failed(channel, certify(channel, _record(channel, (least, most), most, few, members, few)))

    def build(self, channel: Channel, parameters: SplitCount) -> Attack:
        """A runnable attack."""
        from planner.attacks.split_count.run import CountAttack

        return CountAttack(self.id, channel, parameters)


def _settle(channel: Channel, reach: Fraction) -> SplitCount | None:
    """Alternate between the errors for so many queries and the amplitudes for these, until the certifier agrees."""
    from planner.attacks.split_count.certify import prove

    parts = ((channel.classes - 1, 1),)

    def afforded(before: SplitCount | None) -> SplitCount | None:
        queries = max(1, channel.scored) if before is None else before.queries
        least, most = corner_of(channel, queries, reach, parts)
        amplitude = int(2 * amplitude_of(channel, queries, least, most, parts))
        return _with_amplitude(channel, (least, most), min(amplitude, MOST_AMPLITUDE), queries)

    # Errors depend on the queries under random noise alone.
    return settled(afforded, lambda one: prove(channel, one).holds, ROUNDS if channel.random else 1)


def _with_amplitude(
    channel: Channel, weights: tuple[Fraction, Fraction], amplitude: int, queries: int
) -> SplitCount | None:
    """The record of this amplitude, with what follows the first part; None: an amplitude is too small."""
    from planner.attacks.split_count.certify import LEAST_AMPLITUDE

    later = max(tops(channel, weights[1]), key=lambda top: _afforded(channel, top, queries)[1])
    for_members, for_others = _afforded(channel, later, queries)
    others = min(int(for_others), MOST_AMPLITUDE)
    if amplitude < LEAST_AMPLITUDE or (channel.membership and others < LEAST_AMPLITUDE):
        return None
    try:
        several = channel.classes > 2
        members = (design_of_members(channel.scored, for_members, channel.classes - 1),) if several else ()
    except DesignError:
        return None
    return _record(channel, weights, later, amplitude, members, others)


def _afforded(channel: Channel, later: Fraction, queries: int) -> tuple[Fraction, Fraction]:
    """The amplitudes of designs of members and of rows left with such weights."""
    error, (low, high) = known_error(channel, queries, ball(later)), charges_of(channel, later)
    largest = min(later, lower(channel.metric.stage_reach(channel, channel.classes, 1)))
    if not error > 0 or not error.is_finite() or min(largest, high - low) <= 0:
        return NONE, NONE
    one, two = (lower(ball(width) / (2 * error) * (1 - ball(2 * ROOM))) for width in (largest, high - low))
    return one, two


def _record(
    channel: Channel,
    weights: tuple[Fraction, Fraction],
    later: Fraction,
    amplitude: int,
    members: tuple[Design, ...],
    others: int,
) -> SplitCount:
    """Units and gaps that fill the weights."""
    from planner.attacks.split_count.parameters import SplitCount

    least, most = weights
    unit = rounded_down((most - least) / amplitude)
    centre = rounded_down(most - unit * amplitude / 2)
    later = min(later, centre + unit * amplitude / 2)
    largest = min(later, lower(channel.metric.stage_reach(channel, channel.classes, 1)))
    gap = rounded_down(largest / max(one.amplitude for one in members)) if members else NONE
    made = SplitCount(1, channel.rows, amplitude, unit, centre, later, members, gap, 0, NONE, NONE, channel.classes)
    if channel.membership:
        low, high = charges_of(channel, later)
        further = rounded_down((high - low) / others * (1 - ROOM))
        middle = rounded_down((low + high) / 2)
        made = replace(made, others_amplitude=others, others_unit=further, others_centre=middle)
    return replace(made, queries=made.enough(channel.rows, channel.scored))


def _cost(channel: Channel, p: SplitCount) -> Proposal[SplitCount]:
    from planner.attacks.split_count.certify import later_error

    M = p.queries
    return Proposal(
        p,
        Fraction(p.labels, M),
        precision_bits=bits_read(channel, p.unit, lambda: later_error(channel, p)),
        prediction_bits=64,
        operations=8 * M * p.labels,
        memory=8 * channel.rows * (channel.columns + 12),
        within=lambda queries: 0,
    )

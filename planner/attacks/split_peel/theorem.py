"""Several classes of a secret part of the rows, adaptively."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from planner.attacks.affording import ROOM, amplitude_of, charges_of, corner_of, design_of_members, rounded_down
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
    MORE_CLASSES,
    PART_SCORED,
)
from planner.designs.base import Design, DesignError
from planner.designs.chooser import FAMILIES, Family, best_design, design_for
from planner.model import Refusal
from planner.numerics.reals import ball, brief, lower
from planner.numerics.search import ROUNDS, settled

if TYPE_CHECKING:
    from planner.attacks.split_peel.parameters import SplitPeel

SIZES = 6  # of numbers of members that have designs of their own
NONE = Fraction(0)


class SplitPeeling(Theorem["SplitPeel"]):
    """Rows that are scored and not of class 0 first: there are few of them."""

    id = "split-peel"
    title = "Several classes of a secret part, one kind after another"
    cite = "corner rows; Theorem U"
    statement = (
        "First every row is asked whether it is scored and of another class than 0, all these classes being dear. What is "
        "found are at most n rows, all scored: a design tells their K - 1 classes, of them alone and with the whole of W, "
        "since all else that is scored is of class 0. If the split is wanted, class 0 is dear at last: of the rows that "
        "are left those are scored that pay. That is M(N) + M'(m) queries for m members, and M''(N - m) more for the split, "
        "where asking every row for every digit takes log2(K) M(N)."
    )
    partial = False
    conditions: ClassVar[tuple[str, ...]] = (
        "a part of the rows is scored, and n is known",
        "K > 2",
        "queries may be adaptive",
        "gap > 2 (E + dev), W - w >= 2 gap x amplitude",
    )

    def propose(self, channel: Channel) -> Proposal[SplitPeel] | tuple[Refusal, ...]:
        """The fewest queries over all designs for the amplitude that the corner affords."""
        needed = PART_SCORED, LOGARITHMIC, MORE_CLASSES, ADAPTIVE, COUNT_KNOWN, FLOATING_PREDICTIONS, COLUMN_A_CLASS
        reasons = self.unmet(channel, *needed)
        if reasons:
            return reasons
        reach = corner_span(channel, ((channel.classes - 1, 1),))
        if not reach > 0:
            return (self.refuse(channel, "clip", "a row that tells its classes apart", f"W = {brief(reach)}"),)
        found = [one for family in FAMILIES if (one := _settle(channel, family, lower(reach))) is not None]
        best = min(found, key=lambda one: one.queries, default=None)
        return _cost(channel, best) if best is not None else self._too_coarse(channel, lower(reach))

    def _too_coarse(self, channel: Channel, reach: Fraction) -> tuple[Refusal, ...]:
        """Why not even designs of amplitude 1 are certified."""
        design = best_design(channel.rows, Fraction(1))
        parts = ((channel.classes - 1, 1),)
        first = _first(channel, design, *corner_of(channel, 2 * design.M, reach, parts))
        return self.failed(channel, certify(channel, _coarsest(channel, first)))

    def build(self, channel: Channel, parameters: SplitPeel) -> Attack:
        """A runnable attack."""
        from planner.attacks.split_peel.run import PeelAttack

        return PeelAttack(self.id, channel, parameters)


def _settle(channel: Channel, family: Family, reach: Fraction) -> SplitPeel | None:
    """Alternate between the error for so many queries and the designs for an error, until the certifier agrees."""
    from planner.attacks.split_peel.certify import prove

    parts = ((channel.classes - 1, 1),)

    def afforded(before: SplitPeel | None) -> SplitPeel | None:
        queries = max(1, channel.rows // 8) if before is None else before.queries
        least, most = corner_of(channel, queries, reach, parts)
        whole = design_for(family, channel.rows, amplitude_of(channel, queries, least, most, parts))
        return None if whole is None else _followed(channel, _first(channel, whole, least, most), queries)

    # Errors depend on the queries under random noise alone.
    return settled(afforded, lambda one: prove(channel, one).holds, ROUNDS if channel.random else 1)


def _first(channel: Channel, design: Design, least: Fraction, most: Fraction) -> SplitPeel:
    """The first question: the design about the middle of these weights, the gap stretched to fill them."""
    from planner.attacks.split_peel.parameters import SplitPeel

    gap = rounded_down((most - least) / 2 / design.amplitude)
    centre = rounded_down(most - gap * design.amplitude)
    return SplitPeel(1, channel.rows, design, gap, centre, (), NONE, (), NONE, NONE, channel.classes)


def _followed(channel: Channel, first: SplitPeel, queries: int) -> SplitPeel | None:
    """The questions that follow, for a few numbers of members."""
    error = known_error(channel, queries, ball(first.most))
    if not error.is_finite() or not error > 0:
        return None
    largest = min(first.most, lower(channel.metric.stage_reach(channel, channel.classes, 1)))
    low, high = charges_of(channel, first.most)
    if min(largest, high - low) <= 0:
        return None
    amplitudes = [lower(ball(one) / (2 * error) * (1 - ball(ROOM))) for one in (largest, (high - low) / 2)]
    sizes = _sizes(channel)
    try:
        members = tuple(design_of_members(size, amplitudes[0], channel.classes - 1) for size in sizes)
        others = tuple(best_design(channel.rows - some, amplitudes[1]) for some in _before(members, channel))
    except DesignError:
        return None
    return _stretched(channel, replace(first, members=members, others=others), largest, low, high)


def _sizes(channel: Channel) -> list[int]:
    """Numbers of members that have a design of their own: all at once, where the rows left are not asked about."""
    n = channel.scored
    return sorted({max(1, n * part // SIZES) for part in range(1, SIZES + 1)}) if channel.membership else [n]


def _before(members: tuple[Design, ...], channel: Channel) -> list[int]:
    """For each design of members, the fewest that lead to it; nothing, where the rows left are not asked about."""
    if not channel.membership:
        return []
    capacities = [one.capacity() for one in members]
    return [0, *(min(most + 1, channel.scored) for most in capacities[:-1])]


def _stretched(channel: Channel, p: SplitPeel, largest: Fraction, low: Fraction, high: Fraction) -> SplitPeel:
    """The gaps that fill the weights."""
    members_gap = rounded_down(largest / max(one.amplitude for one in p.members))
    made = replace(p, members_gap=members_gap)
    if p.others:
        widest = max(one.amplitude for one in p.others)
        gap = rounded_down((high - low) / 2 / widest * (1 - ROOM))
        made = replace(made, others_gap=gap, others_centre=rounded_down((low + high) / 2))
    return replace(made, queries=made.most_queries(channel.scored))


def _coarsest(channel: Channel, first: SplitPeel) -> SplitPeel:
    """Designs of amplitude 1 for all that follows."""
    members = (best_design(channel.scored, Fraction(1)),)
    others = (best_design(channel.rows, Fraction(1)),) if channel.membership else ()
    largest = min(first.most, lower(channel.metric.stage_reach(channel, channel.classes, 1)))
    low, high = charges_of(channel, first.most)
    return _stretched(channel, replace(first, members=members, others=others), largest, low, high)


def _cost(channel: Channel, p: SplitPeel) -> Proposal[SplitPeel]:
    from planner.attacks.split_peel.certify import later_error

    M = p.queries
    return Proposal(
        p,
        Fraction(p.labels, M),
        precision_bits=bits_read(channel, p.gap, lambda: later_error(channel, p)),
        prediction_bits=64,
        operations=2 * M * max(M.bit_length(), 1) + p.labels,
        memory=8 * channel.rows * (channel.columns + 4) + 64 * M,
        within=lambda queries: 0,
    )

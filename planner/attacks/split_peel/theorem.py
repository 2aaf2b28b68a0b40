"""Several classes of a secret part of the rows, adaptively."""

from __future__ import annotations

from fractions import Fraction
from typing import ClassVar

from flint import arb

from planner.attacks.attack import Attack
from planner.attacks.corners import reach as corner_span
from planner.attacks.design.theorem import FAMILIES, ROUNDS, Family, rounded_down
from planner.attacks.split_labels.theorem import amplitude_of, corner_of, design_for
from planner.attacks.split_peel.certify import prove
from planner.attacks.split_peel.parameters import SplitPeel
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
from planner.designs.chooser import best_design
from planner.model import Refusal
from planner.numerics.reals import ball, bound, ceil_of, lower


class SplitPeeling(Theorem[SplitPeel]):
    """Rows that are scored and not of class 0 first: there are few of them."""

    id = "split-peel"
    title = "Several classes of a secret part, one kind after another"
    cite = "corner rows; Theorem U"
    statement = (
        "First every row is asked whether it is scored and of another class than 0, all these classes being dear. What is "
        "found are at most n rows, all scored: their classes are asked digit by digit, of them alone. If the split is "
        "wanted, class 0 is dear at last: of the rows that are left those are scored that pay. That is M(N) + log2(K-1) M(n) "
        "queries, and M(N) more for the split, where asking every row for every digit takes log2(K) M(N)."
    )
    of_a_part = True
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
        blank = _blank(channel)
        reach = corner_span(channel, blank.parts)
        if not reach > 0:
            return (self.refuse(channel, "clip", "a row that tells its classes apart", f"W = {bound(reach)}"),)
        found = [one for family in FAMILIES if (one := _settle(channel, blank, family, lower(reach))) is not None]
        best = min(found, key=lambda one: one.queries, default=None)
        if best is not None:
            return _cost(channel, best)
        least, most = corner_of(channel, blank.most_queries, lower(reach), blank.parts)
        return self.failed(channel, certify(channel, _record(blank, least, most)))

    def build(self, channel: Channel, parameters: SplitPeel) -> Attack:
        """A runnable attack."""
        from planner.attacks.split_peel.run import PeelAttack

        return PeelAttack(self.id, channel, parameters)


def _blank(channel: Channel) -> SplitPeel:
    """Designs of amplitude 1, at no weight yet."""
    whole, members = best_design(channel.rows, Fraction(1)), best_design(channel.scored, Fraction(1))
    return SplitPeel(1, channel.rows, whole, members, Fraction(1), Fraction(0), channel.classes, channel.membership)


def _settle(channel: Channel, blank: SplitPeel, family: Family, reach: Fraction) -> SplitPeel | None:
    """Alternate between the error for so many queries and the designs for an error, until the certifier agrees."""
    queries, best = max(1, channel.rows // 8), None
    for _ in range(ROUNDS):
        least, most = corner_of(channel, queries, reach, blank.parts)
        amplitude = amplitude_of(channel, queries, least, most, blank.parts)
        whole = design_for(family, channel.rows, amplitude)
        members = design_for(family, channel.scored, whole.amplitude) if whole is not None else None
        if whole is None or members is None:
            return best
        made = SplitPeel(1, channel.rows, whole, members, blank.gap, blank.centre, blank.classes, blank.rest)
        found = _record(made, least, most)
        if prove(channel, found).holds and (best is None or found.queries < best.queries):
            best = found
        if found.queries == queries:
            return best
        queries = found.queries
    return best


def _record(p: SplitPeel, least: Fraction, most: Fraction) -> SplitPeel:
    """The designs about the middle of these weights, the gap stretched to fill them."""
    amplitude = p.design.amplitude
    gap = rounded_down((most - least) / 2 / amplitude)
    centre = rounded_down(most - gap * amplitude)
    return SplitPeel(p.most_queries, p.labels, p.design, p.members, gap, centre, p.classes, p.rest)


def _cost(channel: Channel, p: SplitPeel) -> Proposal[SplitPeel]:
    M = p.queries
    return Proposal(
        p,
        Fraction(p.labels, M),
        precision_bits=max(0, ceil_of(lambda: (channel.scored / ball(p.gap)).log() / arb(2).log())),
        prediction_bits=64,
        operations=2 * M * max(M.bit_length(), 1) + p.labels,
        memory=8 * channel.rows * (channel.columns + 4) + 64 * M,
        within=lambda queries: 0,
    )

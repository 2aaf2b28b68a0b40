"""Labels of a secret part of the rows: which rows are scored is not asked."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from planner.attacks.affording import amplitude_of, corner_of, rounded_down
from planner.attacks.attack import Attack
from planner.attacks.corners import bits_read, digits_of
from planner.attacks.corners import reach as corner_span
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, CORNERED, COUNT_KNOWN, FLOATING_PREDICTIONS, PART_SCORED
from planner.channel.sides import bits_of
from planner.designs.base import Design
from planner.designs.chooser import FAMILIES, Family, best_design, design_for
from planner.model import Refusal
from planner.numerics.reals import brief, lower
from planner.numerics.search import last_between, settled

if TYPE_CHECKING:
    from planner.attacks.split_labels.parameters import SplitLabels


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

    def afforded(before: SplitLabels | None) -> SplitLabels | None:
        queries = max(1, channel.wanted // 8) if before is None else before.queries
        least, most = corner_of(channel, queries, reach)
        design = design_for(family, channel.wanted, amplitude_of(channel, queries, least, most))
        return None if design is None else _record(channel, design, least, most)

    return settled(afforded, lambda one: prove(channel, one).holds)


def _record(channel: Channel, design: Design, least: Fraction, most: Fraction) -> SplitLabels:
    """The design about the middle of these weights, its gap stretched to fill them."""
    from planner.attacks.split_labels.parameters import SplitLabels

    gap = rounded_down((most - least) / 2 / design.amplitude)
    centre = rounded_down(most - gap * design.amplitude)
    digits = bits_of(channel.classes)
    return SplitLabels((design.M + 1) * digits, channel.wanted, design, gap, centre, digits)


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

"""T, listed: comparisons that need no answer first, since rows that need not sum to 1 shift every score at will."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.surest import least_entry, nearly_one
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.sides import bits_of
from planner.model import Refusal
from planner.numerics.reals import ball, ceil_of, lower

if TYPE_CHECKING:
    from planner.attacks.scaled.parameters import ScaledThresholds

HALF = Fraction(1, 2)


class ScaledThreshold(Theorem["ScaledThresholds"]):
    """Rounded scores compared with a boundary that idle rows put in its place."""

    id = "scaled"
    title = "Threshold attack listed beforehand"
    cite = "attack T, rows that need not sum to 1"
    statement = (
        "A rounded score says on which side of a boundary the sum of charges lies. Where rows are charged as they are, an "
        "idle row that gives every class e^-c is charged c, whatever its label: so all idle rows together shift every sum by "
        "any amount, and no count of labels has to be known for that. With a boundary midway between the two sums that one "
        "row may cause, N ceil(log2 K) queries that are listed beforehand recover every label of every labeling, however few "
        "decimals are shown."
    )
    compares = True
    conditions = (
        "a column a class, charged as it is whatever it sums to",
        "scores rounded to decimals",
        "no noise, or noise whose bound N τ stays below W/2",
    )

    def propose(self, channel: Channel) -> Proposal[ScaledThresholds] | tuple[Refusal, ...]:
        """The first boundary that idle rows reach."""
        from planner.attacks.scaled.parameters import FREE_OFFSET

        reasons = self.unmet(channel, *FREE_OFFSET)
        if reasons:
            return reasons
        found = boundary_between(channel)
        if found is None:
            need = "idle rows that reach a boundary, and are not clipped there"
            return (self.refuse(channel, "clip", need, "a clip that is too coarse for so few decimals"),)
        certificate = certify(channel, found)
        return _cost(channel, found) if certificate.holds else self.failed(channel, certificate)

    def build(self, channel: Channel, parameters: ScaledThresholds) -> Attack:
        """A runnable attack."""
        from planner.attacks.scaled.run import ScaledAttack

        return ScaledAttack(self.id, channel, parameters)


def boundary_between(channel: Channel) -> ScaledThresholds | None:
    """The widest row that can be asked, and idle rows whose charges put the first boundary above it in its middle."""
    from planner.attacks.scaled.parameters import ScaledThresholds

    large, small = nearly_one(channel), least_entry(channel)
    unit = channel.digits.unit
    if large is None or small is None or unit is None or not small < large:
        return None
    others = max(1, channel.rows - 1)
    middle = -(ball(large).log() + ball(small).log()) / 2
    lowest = middle - others * ball(large).log()
    boundary = ceil_of(lambda: (lowest / channel.scored + ball(channel.centre)) / ball(unit) - ball(HALF))
    place = ball(channel.scored * ((boundary + HALF) * unit - channel.centre))
    idle = channel.submission.round_down(min(lower((-(place - middle) / others).exp()), large))
    if idle is None or not channel.metric.takes(channel, idle):
        return None
    queries = bits_of(channel.classes) * channel.wanted
    return ScaledThresholds(queries, channel.wanted, channel.rows, channel.classes, small, large, idle, boundary)


def _cost(channel: Channel, parameters: ScaledThresholds) -> Proposal[ScaledThresholds]:
    return Proposal(
        parameters,
        Fraction(parameters.labels, parameters.queries),
        precision_bits=0,
        prediction_bits=parameters.idle.denominator.bit_length(),
        operations=2 * channel.rows * channel.classes * parameters.queries,
        memory=8 * channel.rows * channel.columns,
        within=lambda queries: min(parameters.labels, queries // parameters.bits),
    )

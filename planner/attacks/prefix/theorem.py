"""Comparisons by a prefix code: classes that are no power of two need not be asked bit by bit of their number."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.scaled.theorem import boundary_between
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import ADAPTIVE, NO_POWER_OF_TWO
from planner.model import Refusal
from planner.numerics.reals import ball
from planner.numerics.search import first_between

if TYPE_CHECKING:
    from planner.attacks.prefix.parameters import PrefixThresholds
    from planner.attacks.scaled.parameters import ScaledThresholds

SEED = 1


class PrefixThreshold(Theorem["PrefixThresholds"]):
    """Huffman's code of classes that coins have made equally likely."""

    id = "prefix"
    title = "Threshold attack by a prefix code"
    cite = "attack T, rows that need not sum to 1, a prefix code"
    statement = (
        "Comparisons as in `scaled` may ask any half of a row's classes against the rest. Put the classes of every row in a "
        "random order: then each place of the order is equally likely, whatever the labels are, and a prefix code of the "
        "places asks a = floor(log2 K) questions of most rows and one more of a share 2 - 2^(a+1)/K: 5/3 a label for three "
        "classes, 3.4 for ten. Labels are never wrong; the number of queries holds with the promised probability over the "
        "attacker's coins."
    )
    compares = True
    conditions = (
        "a column a class, charged as it is whatever it sums to",
        "K no power of two",
        "scores rounded to decimals",
        "adaptive queries",
        "no noise, or noise whose bound N τ stays below W/2",
    )

    def propose(self, channel: Channel) -> Proposal[PrefixThresholds] | tuple[Refusal, ...]:
        """As many queries as coins need with the promised probability."""
        from planner.attacks.scaled.parameters import FREE_OFFSET

        reasons = self.unmet(channel, *FREE_OFFSET, ADAPTIVE) or self.unmet(channel, NO_POWER_OF_TWO, see="scaled")
        if reasons:
            return reasons
        base = boundary_between(channel)
        if base is None:
            need = "idle rows that reach a boundary, and are not clipped there"
            return (self.refuse(channel, "clip", need, "a clip that is too coarse for so few decimals"),)
        found = enough(channel, base)
        certificate = certify(channel, found)
        return _cost(channel, found) if certificate.holds else self.failed(channel, certificate)

    def build(self, channel: Channel, parameters: PrefixThresholds) -> Attack:
        """A runnable attack."""
        from planner.attacks.prefix.run import PrefixAttack

        return PrefixAttack(self.id, channel, parameters)


def enough(channel: Channel, base: ScaledThresholds) -> PrefixThresholds:
    """The least number of queries that suffices but for what coins have of delta."""
    from planner.attacks.prefix.certify import more_deep
    from planner.attacks.prefix.parameters import PrefixThresholds
    from planner.attacks.scaled.parameters import ScaledThresholds

    shared = {each.name: getattr(base, each.name) for each in fields(ScaledThresholds)}
    bare = PrefixThresholds(**shared, seed=SEED)
    chance, share = ball(bare.left_to_coins(channel)), Fraction(bare.deep, bare.classes)
    most = first_between(lambda m: bool(more_deep(bare.labels, share, m) <= chance), -1, bare.labels)
    return replace(bare, queries=bare.labels * bare.depth + most)


def _cost(channel: Channel, parameters: PrefixThresholds) -> Proposal[PrefixThresholds]:
    return Proposal(
        parameters,
        Fraction(parameters.labels, parameters.queries),
        precision_bits=0,
        prediction_bits=parameters.idle.denominator.bit_length(),
        operations=2 * channel.rows * channel.classes * parameters.queries,
        memory=8 * channel.rows * channel.columns,
        within=lambda queries: min(parameters.labels, parameters.labels * queries // parameters.queries),
    )

"""S: random signs, and whatever labeling explains every score."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from math import exp, inf
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.consistent.theorem import Consistent, bare_shape, shape
from planner.attacks.theorem import Proposal, Theorem, unasked
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import ALL_LABELINGS, COINS_DECIDE, NOT_DRAWN, ROUNDED, STEADY_NOISE, WIDE_FLOATS
from planner.model import Refusal
from planner.numerics.search import first_between

if TYPE_CHECKING:
    from planner.attacks.signs.parameters import SignedLabels

ROOM = 1e-9  # of delta, that floats leave
MOST_SHOWN = 512  # bits of the number of labelings that costs are told of


class RandomSigns(Theorem["SignedLabels"]):
    """The fewest listed queries that are proved, for an attacker with any amount of time."""

    id = "signs"
    title = "Random signs, all labelings compared"
    cite = "attack CD, rows that need not sum to 1, all labelings"
    statement = (
        "Where rows are charged as they are, an offset uniform over one unit makes rounding errors uniform and independent, "
        "as in `consistent`. Give every label a random sign in every query and take a labeling that explains every score. "
        "One that differs in k places from the right one moves a score by the sum s_k of k random signs, so M scores bear "
        "it with probability (E max(0, 1 - x|s_k|))^M only, x = g/(N q); summed over all sets of places that is below δ from "
        "some M on, for every labeling. Comparing all labelings takes exponential time."
    )
    compares = True
    conditions = (
        *Consistent.conditions[:1],
        "scores rounded to decimals",
        "no noise, or a bound below half of what a row moves a score by",
        "time = exponential",
    )

    def propose(self, channel: Channel) -> Proposal[SignedLabels] | tuple[Refusal, ...]:
        """The least number of queries that the union over all labelings allows."""
        from planner.attacks.scaled.parameters import FREE_ROWS

        reasons = self.unmet(channel, ALL_LABELINGS, *FREE_ROWS, ROUNDED, NOT_DRAWN, STEADY_NOISE, WIDE_FLOATS)
        reasons = reasons or self.unmet(channel, COINS_DECIDE)
        if reasons:
            return reasons
        found = _least(unasked(channel), channel.wanted)
        if found is None:
            return (self.refuse(channel, self.deciding(channel), "signs that tell labelings apart", "none do"),)
        certificate = certify(channel, found)
        return _cost(channel, found) if certificate.holds else self.failed(channel, certificate)

    def build(self, channel: Channel, parameters: SignedLabels) -> Attack:
        """A runnable attack."""
        from planner.attacks.signs.run import SignsAttack

        return SignsAttack(self.id, channel, parameters)


@lru_cache(maxsize=16)
def _least(channel: Channel, labels: int) -> SignedLabels | None:
    from planner.attacks.signs.certify import mistaken

    if bare_shape(channel) is None:  # entries that an offset would clip
        return None
    bare = signed(channel, labels, 1)
    ways = [(float(many.upper()), float(chance.upper())) for many, chance in mistaken(channel, bare)]
    if any(not chance < 0 for _, chance in ways):
        return None
    share = float(channel.delta) / bare.bits * (1 - ROOM)

    def enough(queries: int) -> bool:
        exponents = [many + queries * chance for many, chance in ways if chance > -inf]
        return max(exponents, default=-inf) < 0 and sum(map(exp, exponents)) <= share

    high = 1
    while not enough(high):
        high *= 2
        if high > 2 * channel.rows:
            return None  # a comparison a label takes fewer
    return signed(channel, labels, first_between(enough, high // 2, high))


def signed(channel: Channel, labels: int, queries: int) -> SignedLabels:
    """So many queries a bit."""
    from planner.attacks.consistent.parameters import ConsistentSpread
    from planner.attacks.signs.parameters import SignedLabels

    plain = shape(channel, labels, 1, 1, repairs=0)
    given = {each.name: getattr(plain, each.name) for each in fields(ConsistentSpread)}
    return SignedLabels(**given | {"queries": queries * plain.bits, "order": queries, "rounds": 1})


def _cost(channel: Channel, parameters: SignedLabels) -> Proposal[SignedLabels]:
    half = 2 ** min(-(-parameters.labels // 2), MOST_SHOWN)
    return Proposal(
        parameters,
        Fraction(parameters.labels, parameters.queries),
        precision_bits=0,
        prediction_bits=53,
        operations=parameters.queries * half,
        memory=parameters.queries * half,
        within=lambda queries: min(parameters.labels, parameters.labels * queries // parameters.queries),
    )

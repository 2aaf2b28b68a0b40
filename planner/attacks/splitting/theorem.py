"""Splitting: counting wrong guesses in ever smaller parts of the rows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.attacks.affording import rounded_down
from planner.attacks.attack import Attack
from planner.attacks.design.settling import coarsest, settle
from planner.attacks.splitting.bound import WORD, certain, digits_of, halving, least_prime, power_sums
from planner.attacks.splitting.reaching import best_part, radius_of, ratio
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import ADAPTIVE, COLUMN_A_CLASS, FLOATING_PREDICTIONS, INFORMED
from planner.model import Refusal
from planner.numerics.reals import ball, brief, ceil_of
from planner.numerics.search import last_between, settled

if TYPE_CHECKING:
    from planner.attacks.design.parameters import DesignStages
    from planner.attacks.splitting.parameters import Splitting

MOST_AMPLITUDE = 2**40  # float64 holds every weight, and the decoder's integers stay short


class SplittingCounts(Theorem["Splitting"]):
    """Wrong guesses are few: count them, cut, count again."""

    id = "splitting"
    title = "Splitting: which labels the guess has wrong"
    cite = "Lindström 1965; Newton's identities; group testing by counts"
    statement = (
        "Weigh right against wrong guesses. The first query counts the s wrong ones. A part of the rows whose count is "
        "known is cut, and the counts of its pieces are digits of one Hermite-Lindström design of amplitude A = W/E: "
        "knowing the parent's count centres the weights, which doubles W. About s log2(N/s) bits are read this way, "
        "for every labeling within s of the guess, and a worse guess is noticed by the first query."
    )
    informed = True
    conditions = (
        "guess or positives is given",
        "2 (E + dev) < W",
        "queries may adapt",
        "predictions in floating point",
    )

    def propose(self, channel: Channel) -> Proposal[Splitting] | tuple[Refusal, ...]:
        """The largest amplitude that the channel affords, and the queries that then suffice for certain."""
        reasons = self.unmet(channel, INFORMED, ADAPTIVE, FLOATING_PREDICTIONS, COLUMN_A_CLASS)
        if reasons:
            return reasons
        from planner.attacks.splitting.certify import LEAST_AMPLITUDE, reach

        if channel.exact_scores and channel.metric.logarithmic:
            return (self.refuse(channel, "phi", "finite precision or noise", "exact scores: one query suffices"),)
        if not reach(channel) > 0:
            have = f"W = {brief(reach(channel))}"
            return (self.refuse(channel, "clip", "a row that tells the guess from other classes", have),)
        found = _settle(channel)
        if found is not None:
            return _cost(channel, found)
        least = _with_classes(channel, _split(channel, LEAST_AMPLITUDE, best_part(channel, 1)), 1)
        if least is None:
            return (self.refuse(channel, "clip", "a row that tells the classes apart", f"W = {brief(reach(channel))}"),)
        certificate = certify(channel, least)
        return _cost(channel, least) if certificate.holds else self.failed(channel, certificate)

    def build(self, channel: Channel, parameters: Splitting) -> Attack:
        """A runnable attack."""
        from planner.attacks.splitting.run import SplittingAttack

        return SplittingAttack(channel, parameters)


def _settle(channel: Channel) -> Splitting | None:
    """Alternate between the error for so many queries and the queries for an error, until the certifier agrees."""
    from planner.attacks.splitting.certify import LEAST_AMPLITUDE, prove

    def afforded(before: Splitting | None) -> Splitting | None:
        queries = 1 if before is None else before.queries
        part = best_part(channel, queries)
        amplitude = _amplitude(channel, part, queries)
        if amplitude < LEAST_AMPLITUDE:
            return None
        return _with_classes(channel, _split(channel, amplitude, part), queries)

    return settled(afforded, lambda one: prove(channel, one).holds)


def _split(channel: Channel, amplitude: int, part: Fraction) -> Splitting:
    """The record for two classes: by halving, or by power sums where these need fewer queries."""
    from planner.attacks.splitting.parameters import Splitting

    labels, radius = channel.wanted, radius_of(channel)
    prime = least_prime(labels, radius)
    if prime**2 >= WORD or power_sums(radius, prime, amplitude) >= halving(labels, radius, amplitude):
        prime = 0
    asked = certain(labels, radius, amplitude, prime)
    return Splitting(asked, labels, radius, amplitude, rounded_down(2 * part / amplitude), prime, None, Fraction(0), 0)


def _with_classes(channel: Channel, found: Splitting, queries: int) -> Splitting | None:
    """The record for the channel's classes: of more than two, a design tells those of the wrong rows.

    Random noise must stay small in all queries: the design gets its share of the chance.
    """
    if channel.classes == 2:
        return found
    few = replace(channel, wanted=max(found.radius, 1), delta=channel.delta / (queries if channel.random else 1))
    binary = 2, (channel.classes - 1).bit_length()
    shapes = (binary,) if channel.classes > 128 else ((channel.classes, 1), binary)
    several = [settle(few, *shape) or coarsest(few, *shape) for shape in shapes]
    stages = min((one for one in several if one is not None), key=lambda one: one.queries, default=None)
    return None if stages is None else _joined(found, stages)


def _joined(found: Splitting, stages: DesignStages) -> Splitting:
    return replace(
        found,
        queries=found.queries + stages.queries,
        design=stages.design,
        gap=stages.gap,
        digits=stages.digits,
    )


def _amplitude(channel: Channel, part: Fraction, queries: int) -> int:
    """The largest integer below twice the reach over twice the error, a little on the safe side."""
    return min(int(ratio(channel, part, queries)), MOST_AMPLITUDE)


def _cost(channel: Channel, parameters: Splitting) -> Proposal[Splitting]:
    M = parameters.queries
    bits = max(0, ceil_of(lambda: (channel.scored / ball(parameters.unit)).log() / arb(2).log()))
    return Proposal(
        parameters,
        Fraction(channel.wanted, M),
        precision_bits=bits,
        prediction_bits=64,
        operations=8 * M * parameters.labels,
        memory=8 * channel.rows * (channel.columns + 12),
        within=lambda queries: _within(parameters, queries),
    )


def _within(p: Splitting, queries: int) -> int:
    """The most labels that the same amplitude tells in so many queries."""
    stages = p.stages
    left = queries - (0 if stages is None else stages.listed)

    def holds(some: int) -> bool:
        radius = min(p.radius, some)
        sums = 1 + radius * digits_of(some, p.amplitude)
        return min(sums, halving(some, radius, p.amplitude)) <= left

    return last_between(holds, 0, p.labels + 1) if left >= 1 else 0

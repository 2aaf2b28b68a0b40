"""Power sums: wrong guesses as roots of a polynomial, by queries that are listed beforehand."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from flint import arb

from planner.attacks.affording import rounded_down
from planner.attacks.attack import Attack
from planner.attacks.splitting.bound import digits_of, least_prime, power_sums
from planner.attacks.splitting.reaching import best_part, ratio
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import FLOATING_PREDICTIONS, INFORMED, TWO_CLASSES
from planner.model import Refusal
from planner.numerics.reals import ball, brief, ceil_of
from planner.numerics.search import settled

if TYPE_CHECKING:
    from planner.attacks.power_sums.parameters import PowerSums

MOST_AMPLITUDE = 2**38


class PowerSumsOfRows(Theorem["PowerSums"]):
    """As many sums as wrong labels."""

    id = "power-sums"
    title = "Power sums: which labels the guess has wrong, planned ahead"
    cite = "Newton's identities; Prony; Reed and Solomon"
    statement = (
        "Number the rows by residues modulo a prime p, and ask for the count of the wrong guesses and for the sums of the "
        "k-th powers of their numbers, k = 1 … s, each in digits to the base 2A + 1, A = W/(2E). By Newton's identities "
        "the sums determine the wrong rows: 1 + s ceil(log p/log(2A + 1)) queries, none of which depends on a score."
    )
    informed = True
    conditions = ("guess or positives is given", "K = 2", "2 (E + dev) < W", "predictions in floating point")

    def propose(self, channel: Channel) -> Proposal[PowerSums] | tuple[Refusal, ...]:
        """The largest amplitude that the channel affords, and the digits that it then takes."""
        reasons = self.unmet(channel, INFORMED, TWO_CLASSES, FLOATING_PREDICTIONS)
        if reasons:
            return reasons
        from planner.attacks.splitting.certify import reach

        if channel.exact_scores and channel.metric.logarithmic:
            return (self.refuse(channel, "phi", "finite precision or noise", "exact scores: one query suffices"),)
        if not reach(channel) > 0:
            have = f"W = {brief(reach(channel))}"
            return (self.refuse(channel, "clip", "a row that tells the guess from the other class", have),)
        found = _settle(channel) or _record(channel, 1, best_part(channel, 1))
        certificate = certify(channel, found)
        return _cost(channel, found) if certificate.holds else self.failed(channel, certificate)

    def build(self, channel: Channel, parameters: PowerSums) -> Attack:
        """A runnable attack."""
        from planner.attacks.power_sums.run import PowerSumsAttack

        return PowerSumsAttack(channel, parameters)


def _settle(channel: Channel) -> PowerSums | None:
    """Alternate between the error for so many queries and the queries for an error."""
    from planner.attacks.power_sums.certify import prove

    def afforded(before: PowerSums | None) -> PowerSums | None:
        queries = 1 if before is None else before.queries
        part = best_part(channel, queries)
        amplitude = min(int(ratio(channel, part, queries) / 2), MOST_AMPLITUDE)
        return _record(channel, amplitude, part) if amplitude >= 1 else None

    return settled(afforded, lambda one: prove(channel, one).holds)


def _record(channel: Channel, amplitude: int, part: Fraction) -> PowerSums:
    from planner.attacks.power_sums.parameters import PowerSums

    labels, radius = channel.wanted, min(channel.radius, channel.wanted)
    prime = least_prime(labels, radius)
    queries = power_sums(radius, prime, 2 * amplitude)
    return PowerSums(queries, labels, radius, amplitude, rounded_down(part / amplitude), prime)


def _cost(channel: Channel, p: PowerSums) -> Proposal[PowerSums]:
    bits = max(0, ceil_of(lambda: (channel.scored / ball(p.unit)).log() / arb(2).log()))
    return Proposal(
        p,
        Fraction(channel.wanted, p.queries),
        precision_bits=bits,
        prediction_bits=64,
        operations=8 * p.queries * p.labels,
        memory=8 * channel.rows * (channel.columns + 8),
        within=lambda queries: min(p.labels, max(0, queries - 1) // digits_of(p.labels, 2 * p.amplitude)),
    )

"""Theorem 3: prime powers for K classes, in one exact query and, mended, in several of finite precision."""

from __future__ import annotations

from planner.attacks.primes.parameters import PrimePowers
from planner.attacks.primes.theorem import (
    PrimesOnce,
    exact_refusals,
    largest_prime_block,
    prime_block,
    prime_cost,
    single_query,
)
from planner.attacks.theorem import Proposal
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, LOGARITHMIC, MORE_CLASSES
from planner.model import Claim, Refusal

MOST_POWERS = 16  # exponents tried in one query of the finite-precision form


class PrimePowersOnce(PrimesOnce):
    """Theorem 3 in arbitrary precision: class k of label i gets odds p_i^k."""

    id = "prime-powers-apa"
    title = "Prime powers for K classes, one query, arbitrary precision"
    cite = "Theorem 3, arbitrary precision"
    statement = (
        "Row i predicts class k with probability p_i^k / (1 + p_i + ... + p_i^(K-1)), k = 0..K-1. The exponents in the "
        "factorisation of the score's exponential are the labels. It takes K-1 times the bits of the binary attack."
    )
    conditions = ("K > 2", "phi = arbitrary", "no noise, score shown in full")
    erratum = None

    def claim(self, channel: Channel) -> Claim | None:
        """One query."""
        return Claim(channel.rows, 1) if channel.classes > 2 and channel.exact_scores else None

    def propose(self, channel: Channel) -> Proposal[PrimePowers] | tuple[Refusal, ...]:
        """All labels at once."""
        reasons = (
            self.unmet(channel, LOGARITHMIC)
            or self.unmet(channel, MORE_CLASSES, see="Theorem 1")
            or exact_refusals(self, channel)
        )
        return reasons or single_query(channel, powers=channel.classes - 1)


class PrimePowersBlocks(PrimesOnce):
    """Theorem 3 in finite precision, mended: exponents 1..b inside a block of b classes, 0 outside."""

    id = "prime-powers-fpa"
    title = "Prime powers for K classes in blocks, finite precision"
    cite = "Theorem 3, finite precision"
    statement = (
        "Each query serves m rows and b classes: class j of the block gets odds p_i^j, j = 1..b, and every other class "
        "odds 1, so that exponent 0 says 'not in this block of classes'. ceil((K-1)/b) class blocks tell all classes."
    )
    conditions = ("K > 2", "2E < ln(1 + 1/b*) with P = (p_1 ... p_m)^b")
    erratum = "E-T3"

    def claim(self, channel: Channel) -> Claim | None:
        """The paper gives only an order of growth, O(1 + N K h(phi)), and no number."""
        return None

    def propose(self, channel: Channel) -> Proposal[PrimePowers] | tuple[Refusal, ...]:
        """The fewest queries over the number of classes looked at together."""
        reasons = (
            self.unmet(channel, LOGARITHMIC)
            or self.unmet(channel, MORE_CLASSES, see="Algorithm 1")
            or self.unmet(channel, COLUMN_A_CLASS)
        )
        if reasons:
            return reasons
        if channel.exact_scores:
            return (self.refuse(channel, "phi", "finite precision or noise", "exact scores: one query suffices"),)
        best: PrimePowers | None = None
        for powers in range(1, min(channel.classes - 1, MOST_POWERS) + 1):
            found = largest_prime_block(channel, powers, -(-(channel.classes - 1) // powers))
            if found is not None and (best is None or found.queries < best.queries):
                best = found
        if best is None:
            return self.failed(channel, certify(channel, prime_block(channel, 1, 1, channel.classes - 1)))
        return prime_cost(channel, best)

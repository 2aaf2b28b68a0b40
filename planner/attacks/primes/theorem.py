"""Theorem 1 and Algorithm 1: primes as odds, for exact scores in one query and for finite precision in several."""

from __future__ import annotations

from math import log
from typing import Any, ClassVar, Literal

from flint import arb

from dsl.scenario import FixedPoint, Ieee
from planner.attacks.attack import Attack
from planner.attacks.costs import block_cost, queries_for
from planner.attacks.primes.parameters import PrimePowers
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import COLUMN_A_CLASS, EXACT_PREDICTIONS, LOGARITHMIC, TWO_CLASSES
from planner.model import Claim, Refusal
from planner.numerics.primes import log_primorial, primes_up_to
from planner.numerics.reals import ceil_of
from planner.numerics.search import largest

LARGEST_NEAREST = 15  # primes whose products a nearest decoder tabulates
LARGEST_DIVIDE = 4096  # primes tried with the dividing decoder
SIEVE_LIMIT = 1_000_000  # the paper's m is counted exactly up to here, and estimated beyond


class PrimesOnce(Theorem[PrimePowers]):
    """Theorem 1: one query in arbitrary precision."""

    id = "primes-apa"
    title = "Primes, one query, arbitrary precision"
    cite = "Theorem 1"
    statement = (
        "With odds v_i = p_i, the i-th prime, T exp(-N L) is the product of the primes whose label is 1, where T is the "
        "product of all 1 + p_i. Factoring it over the known primes recovers every label from one exact score."
    )
    conditions: ClassVar[tuple[str, ...]] = (
        "K = 2",
        "phi = arbitrary",
        "no noise, score shown in full",
        "no clip below the largest prime's odds",
    )
    erratum: ClassVar[str | None] = "E-T1"

    def claim(self, channel: Channel) -> Claim | None:
        """One query, whenever precision is arbitrary and there is no noise."""
        if channel.classes != 2 or not channel.exact_scores:
            return None
        return Claim(channel.rows, 1)

    def propose(self, channel: Channel) -> Proposal[PrimePowers] | tuple[Refusal, ...]:
        """All labels at once."""
        reasons = self.unmet(channel, LOGARITHMIC)
        reasons = reasons or (*self.unmet(channel, TWO_CLASSES, see="prime powers"), *exact_refusals(self, channel))
        if reasons:
            return reasons
        return single_query(channel, powers=1)

    def build(self, channel: Channel, parameters: PrimePowers) -> Attack:
        """A runnable prime attack."""
        from planner.attacks.primes.run import PrimeAttack

        return PrimeAttack(self.id, channel, parameters)


def exact_refusals(theorem: Theorem[Any], channel: Channel) -> tuple[Refusal, ...]:
    """Why the scores are not exact reals, field by field."""
    reasons = [*theorem.unmet(channel, EXACT_PREDICTIONS, COLUMN_A_CLASS)]
    if not channel.law.quiet:
        reasons.append(theorem.refuse(channel, "noise", "none", channel.law.name))
    if channel.shown is not None:
        reasons.append(theorem.refuse(channel, "decimals", "the score in full", f"{channel.digits.digits} digits"))
    return tuple(reasons)


def single_query(channel: Channel, powers: int) -> Proposal[PrimePowers]:
    """All labels in one query, with the bits of score that it takes: log2(P) + log2(N) + 1."""
    m = channel.wanted

    def score_bits() -> arb:
        return (powers * log_primorial(m)) / arb(2).log() + arb(channel.scored).log() / arb(2).log() + 1

    bits = ceil_of(score_bits)
    parameters = PrimePowers(1, m, m, powers, -(-(channel.classes - 1) // powers), "divide", exact=True)
    prime_bits = 2 * powers * max(m.bit_length() + 6, 4)
    base = block_cost(channel, parameters, m, bits, prime_bits)
    # A product tree over m primes holds about log2(m) levels of the whole product.
    memory = base.memory + bits // 8 * max(m.bit_length(), 1)
    return Proposal(parameters, base.labels_per_query, bits, prime_bits, base.operations, memory, base.within)


class PrimesBlocks(PrimesOnce):
    """Algorithm 1: blocks of primes in finite precision, with the sound number of labels a query."""

    id = "primes-fpa"
    title = "Primes in blocks, finite precision"
    cite = "Algorithm 1, Theorem 2"
    statement = (
        "Blocks of m labels take the first m primes as odds. With P = p_1 ... p_m the nearest product is right while "
        "2E < ln(1 + 1/b*), b* = floor((sqrt(1+4P)-1)/2), and rounding and dividing is right while E < ln(1 + 1/(2P))."
    )
    conditions = ("K = 2", "2E < ln(1 + 1/b*) for at least one prime")
    erratum = "E-A1"

    def claim(self, channel: Channel) -> Claim | None:
        """The largest m with p_m <= 2^((phi-5)/4), which budgets the prediction and forgets the score."""
        phi = paper_phi(channel)
        if channel.classes != 2 or phi is None or not channel.law.quiet:
            return None
        bits = min((phi - 5) / 4, 2.0 * channel.rows.bit_length() + 8)  # 2^this has more than N primes below it
        m = max(1, min(channel.rows, primes_below(2**bits)))
        return Claim(m, -(-channel.rows // m), self.erratum)

    def propose(self, channel: Channel) -> Proposal[PrimePowers] | tuple[Refusal, ...]:
        """The largest certified block, over both decoders."""
        reasons = self.unmet(channel, LOGARITHMIC) or self.unmet(channel, TWO_CLASSES, see="prime powers")
        if reasons:
            return reasons
        if channel.exact_scores:
            return (
                self.refuse(channel, "phi", "finite precision or noise", "exact scores: Theorem 1 needs one query"),
            )
        best = largest_prime_block(channel, 1, 1)
        if best is None:
            return self.failed(channel, certify(channel, prime_block(channel, 1, 1, 1)))
        return prime_cost(channel, best)


def prime_block(
    channel: Channel, m: int, powers: int, class_blocks: int, decoder: Literal["nearest", "divide"] = "nearest"
) -> PrimePowers:
    """A block of m primes."""
    queries = queries_for(channel, m) * class_blocks
    exact = channel.submission.exact
    return PrimePowers(queries, channel.wanted, m, powers, class_blocks, decoder, exact)


def largest_prime_block(channel: Channel, powers: int, class_blocks: int) -> PrimePowers | None:
    """The most primes that either decoder bears."""
    decoders: tuple[tuple[Literal["nearest", "divide"], int], ...] = (
        ("nearest", LARGEST_NEAREST // powers),
        ("divide", LARGEST_DIVIDE),
    )
    best: PrimePowers | None = None
    for decoder, most in decoders:

        def proposal(m: int, decoder: Literal["nearest", "divide"] = decoder) -> PrimePowers:
            return prime_block(channel, m, powers, class_blocks, decoder)

        m = largest(lambda m: certify(channel, proposal(m)).holds, min(most, channel.wanted))
        if m and (best is None or m > best.m):
            best = proposal(m)
    return best


def prime_cost(channel: Channel, parameters: PrimePowers) -> Proposal[PrimePowers]:
    """Bits of score for the decoder in use."""
    from planner.attacks.primes.certify import prime_gap

    gap = prime_gap(parameters.m, parameters.powers, parameters.decoder)
    bits = max(0, ceil_of(lambda: (channel.scored / gap).log() / arb(2).log()))
    prime_bits = 2 * parameters.powers * (parameters.m.bit_length() + 6)
    return block_cost(channel, parameters, parameters.m, bits, prime_bits, parameters.class_blocks)


def paper_phi(channel: Channel) -> int | None:
    """The paper's phi for a finite precision."""
    match channel.precision:
        case FixedPoint(integer_bits=i, fraction_bits=f):
            return i + f + 1
        case Ieee(bits=bits):
            return bits
    return None


def primes_below(limit: float) -> int:
    """How many primes are not above `limit`: counted where that is quick, else Cipolla-style estimated."""
    if limit <= SIEVE_LIMIT:
        return len(primes_up_to(int(limit)))
    ln = log(limit)
    return int(limit / ln * (1 + 1 / ln + 2 / ln**2 + 6 / ln**3))

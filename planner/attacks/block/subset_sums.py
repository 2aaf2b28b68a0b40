"""Algorithms 2 and 3: the paper's subset-sum vectors 3^(2^i N tau), for noise in arbitrary and in finite precision."""

from __future__ import annotations

from math import ceil, floor, log, log2

from flint import arb

from dsl.scenario import Time
from planner.attacks.block.parameters import BlockRecord, ListedBlock
from planner.attacks.block.theorem import MOST_DOUBLED, Block, geometric, listed_cost
from planner.attacks.costs import geometric_cost, polynomial_bits, queries_for
from planner.attacks.primes.theorem import paper_phi
from planner.attacks.theorem import Proposal
from planner.certify import certify
from planner.channel.channel import Channel
from planner.channel.conditions import EXACT_PREDICTIONS, LOGARITHMIC, TWO_CLASSES
from planner.channel.formats.ieee import IeeeFormat
from planner.model import Claim, Refusal
from planner.numerics.reals import ball, bound, told_apart, upper


class SubsetSumsOnce(Block):
    """Algorithm 2: all labels in one query, with numbers of 2^N bits."""

    id = "subset-sums-apa"
    title = "Subset sums, one query, arbitrary precision"
    cite = "Algorithm 2, Theorem 4"
    statement = (
        "Odds v_i = 3^(2^i N tau) make any two scores differ by more than 2 tau, so one score of arbitrary precision "
        "tells every label whatever the noise bound. The vector is sound; decoding is linear, not 2^N; the numbers "
        "themselves have about 2^N N tau bits."
    )
    conditions = ("K = 2", "phi = arbitrary, no clip", "a bound on the error above 0", "time = exponential")
    erratum = "E-A2"

    def claim(self, channel: Channel) -> Claim | None:
        """One query."""
        fits = channel.classes == 2 and channel.submission.exact and not channel.exact_scores
        return Claim(channel.rows, 1) if fits else None

    def propose(self, channel: Channel) -> Proposal[BlockRecord] | tuple[Refusal, ...]:
        """The paper's vector with the exponent rounded up to an integer."""
        reasons = self.unmet(channel, LOGARITHMIC) or self._reasons(channel)
        if reasons:
            return reasons
        parameters = geometric(channel, channel.wanted, 3)
        if parameters is None:
            return (self.refuse(channel, "noise", "noise that does not grow with the loss", "multiplicative noise"),)
        return geometric_cost(channel, parameters)

    def _reasons(self, channel: Channel) -> tuple[Refusal, ...]:
        reasons = [*self.unmet(channel, TWO_CLASSES, EXACT_PREDICTIONS)]
        if channel.clip is not None:
            reasons.append(self.refuse(channel, "clip", "none: odds of any size", "a clip bounds the odds"))
        if channel.exact_scores:
            reasons.append(self.refuse(channel, "noise", "an error bound above 0", "none: Theorem 1 applies"))
        if channel.wanted > MOST_DOUBLED:
            need = f"at most {MOST_DOUBLED} labels: of 2^N bits even the count has too many digits"
            reasons.append(self.refuse(channel, "N", need, f"{channel.wanted}"))
        if channel.time is Time.POLYNOMIAL and 2 ** min(channel.wanted - 1, 64) > polynomial_bits(channel):
            need = f"exponential: numbers of about 2^{channel.wanted} bits"
            reasons.append(self.refuse(channel, "time", need, "polynomial"))
        return tuple(reasons)


class SubsetSumsBlocks(Block):
    """Algorithm 3: blocks of the paper's vector in finite precision, with the constant put right."""

    id = "subset-sums-fpa"
    title = "Subset sums in blocks, finite precision"
    cite = "Algorithm 3, Theorem 7"
    statement = (
        "Blocks of m labels take odds 3^(2^r N tau), r = 1..m. The largest log-odds, 2^m N tau ln 3, must be one that the "
        "format can carry: m = floor(log2(W / (N tau ln 3))), two labels fewer than printed in the paper's own format."
    )
    conditions = ("K = 2", "finite precision", "a bound on the error above 0", "2 N tau ln 3 <= W")
    erratum = "E-A3"

    def claim(self, channel: Channel) -> Claim | None:
        """min(ceil(log2 N), floor(log2((phi - 8)/(N tau ln 2))))."""
        phi, tau = paper_phi(channel), _tau(channel)
        if channel.classes != 2 or phi is None or tau <= 0:
            return None
        room = min((phi - 8) / (channel.scored * tau * log(2)), 2.0**1000)  # noise below 1e-300 leaves room without end
        if room < 1:
            return None
        m = max(1, min(ceil(log2(channel.rows)), floor(log2(room))))
        return Claim(m, -(-channel.rows // m), self.erratum)

    def propose(self, channel: Channel) -> Proposal[BlockRecord] | tuple[Refusal, ...]:
        """The paper's weights, as many as the format carries on the large side where the paper puts them."""
        reasons = self.unmet(channel, LOGARITHMIC) or self.unmet(channel, TWO_CLASSES)
        if reasons:
            return reasons
        if channel.submission.exact:
            return (self.refuse(channel, "phi", "finite precision", "arbitrary precision: see Algorithm 2"),)
        if channel.law.quiet and channel.shown is None:
            return (self.refuse(channel, "noise", "an error bound above 0", "none"),)
        for m in range(min(channel.wanted, 64), 0, -1):
            parameters = _paper_block(channel, m)
            if parameters is not None and certify(channel, parameters).holds:
                return listed_cost(channel, parameters)
        return self._none_fits(channel)

    def _none_fits(self, channel: Channel) -> tuple[Refusal, ...]:
        """Why not even one label a query takes the paper's weight: too large, not carried, or outweighed by the error."""
        queries = queries_for(channel, 1)
        weight = 2 * channel.scored * channel.errors(queries).constant() * arb(3).log()
        limit = _large_side(channel)
        have, need = told_apart(bound(weight), bound(limit))
        text = f"2 N τ ln 3 = {have}"
        if not weight <= limit:
            return (self.refuse(channel, "noise", f"2 N τ ln 3 <= W = {need}", text),)
        p = channel.metric.prediction(channel, ball(upper(weight)))
        if p is None:
            return (
                self.refuse(channel, "phi", "a prediction that the format carries with the paper's log-odds", text),
            )
        return self.failed(channel, certify(channel, ListedBlock(queries, channel.wanted, (p,))))


def _tau(channel: Channel) -> float:
    """The paper's tau: the bound on additive noise, or half a unit of the last digit shown."""
    if channel.law.tailed or channel.law.grows:
        return 0.0
    errors = channel.errors(1)
    total = channel.law.within(channel.delta, 1) if channel.shown is None else errors.constant()
    return float(total)


def _paper_block(channel: Channel, m: int) -> ListedBlock | None:
    queries = queries_for(channel, m)
    half_step = channel.scored * channel.errors(queries).constant() * arb(3).log()
    top = half_step * arb(2) ** m
    if not top <= _large_side(channel) or not _outweighs(channel, queries, 2 * half_step):
        return None
    rows = [channel.metric.prediction(channel, ball(upper(half_step * arb(2) ** r))) for r in range(1, m + 1)]
    if any(p is None for p in rows):
        return None
    return ListedBlock(queries, channel.wanted, tuple(p for p in rows if p is not None))


def _outweighs(channel: Channel, queries: int, least: arb) -> bool:
    """Whether the least weight, as the format carries it, is above 2E for the smallest loss that a query can have.

    Spares the building of blocks that cannot be certified: where noise grows with the loss, none can.
    """
    p = channel.metric.prediction(channel, ball(upper(least)))
    widened = 1 + channel.law.factor()
    error = channel.errors(queries).sum_error(channel.neutral_charge())
    return p is not None and not widened * channel.metric.weight(p) <= 2 * error


def _large_side(channel: Channel) -> arb:
    """W where the paper encodes: near u = 1, where a float's grid is as coarse as a fixed one."""
    own = channel.submission
    return channel.reach().min(own.significand * arb(2).log()) if isinstance(own, IeeeFormat) else channel.reach()

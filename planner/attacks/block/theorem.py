"""Block attack: m labels a query on powers-of-two weights. With impossibility proof I2 a sharp dichotomy: 2E < W."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar

from flint import arb

from dsl.scenario import Time
from planner.attacks.attack import Attack
from planner.attacks.block.certify import smallest_gap
from planner.attacks.block.parameters import BlockRecord, DyadicWeights, GeometricOdds, ListedBlock
from planner.attacks.costs import block_cost, geometric_cost, polynomial_bits, queries_for
from planner.attacks.theorem import Proposal, Theorem
from planner.certify import certify
from planner.channel.channel import Channel, with_grids
from planner.channel.conditions import TWO_CLASSES
from planner.channel.errors import Errors
from planner.model import Refusal
from planner.numerics.reals import ball, brief, ceil_of, lower, upper, working

MOST_LISTED = 512  # rows that a plan writes out one by one
MOST_DOUBLED = 4096  # labels a query whose odds are doubled so often: their size 2^m can still be written down
SPARED = (30, 8, 4, 2, 1)  # a part 2^-this of W is left to what rounding adds to the weights
MODEST_BITS = 4096  # an attacker who is free to choose writes probabilities down to 2^-this


class Block(Theorem[BlockRecord]):
    """Powers of two, bottom-up from the numbers that the format can carry."""

    id = "block"
    title = "Block attack with powers of two"
    cite = "Theorem U; sharp by I2"
    statement = (
        "Give the m labels of a block log-odds w_1 < w_2 < ... with w_i > w_1 + ... + w_(i-1) + 2E, every other row "
        "the uniform prediction. The score then tells the block's labels, read off from the largest weight down. "
        "m = ceil(log2(W/(2E))) labels fit, so ceil(N/m) queries recover all; powers of two need the fewest bits of "
        "score of all encodings."
    )
    conditions: ClassVar[tuple[str, ...]] = ("K = 2", "2E < W")

    def propose(self, channel: Channel) -> Proposal[BlockRecord] | tuple[Refusal, ...]:
        """The most labels a query that the certifier accepts."""
        reasons = self.unmet(channel, TWO_CLASSES, see="batches, digits")
        if reasons:
            return reasons
        if channel.exact_scores and channel.metric.logarithmic:
            return exact_block(channel, channel.wanted)
        if not channel.bounded:
            return self._propose_unbounded(channel)
        return self._propose_listed(channel)

    def _propose_unbounded(self, channel: Channel) -> Proposal[BlockRecord] | tuple[Refusal, ...]:
        """Odds of any size, or weights nearer to each other than integer powers of 2 within modest odds."""
        proposals = (self._propose_geometric(channel), _propose_modest(channel))
        found = [one for one in proposals if one is not None]
        if not found:
            return (self.refuse(channel, "noise", "a gap above the noise", "no odds outgrow it"),)
        return min(found, key=lambda one: one.parameters.queries)

    def _propose_geometric(self, channel: Channel) -> Proposal[BlockRecord] | None:
        """m is bounded by the size of the numbers that the attacker may write down; relative digits by their number."""
        if channel.digits.grows:
            return None
        allowed = polynomial_bits(channel)
        for m in range(_most_unbounded(channel, allowed), 0, -1):
            parameters = geometric(channel, m, 2)
            if parameters is None:
                continue
            if channel.time is Time.EXPONENTIAL or _fits(parameters, allowed):
                return geometric_cost(channel, parameters)
        return None

    def _propose_listed(self, channel: Channel) -> Proposal[BlockRecord] | tuple[Refusal, ...]:
        best = most_listed(coarse(channel))
        return self._too_noisy(channel) if best is None else listed_cost(channel, best)

    def _too_noisy(self, channel: Channel) -> tuple[Refusal, ...]:
        """Why not even one label a query is certified."""
        steps = list(_steps(channel, 1))
        tried = (_ascending(channel, 1, step) for step in steps)
        block = next((one for one in tried if one is not None), None)
        if block is not None:
            return self.failed(channel, certify(channel, block))
        reach = channel.reach()
        if steps[0] >= reach or not steps[0].is_finite():
            need, have = f"2E < W = {brief(reach)}", f"2E = {brief(steps[0])}"
        else:
            need, have = f"log-odds from 2E = {brief(steps[0])} to W that the format carries", "none"
        return (self.refuse(channel, self.deciding(channel), need, have),)

    def build(self, channel: Channel, parameters: BlockRecord) -> Attack:
        """A runnable block attack."""
        from planner.attacks.block.run import build_block

        return build_block(self.id, channel, parameters)


def modest(channel: Channel) -> Channel:
    """The channel with a clip of the attacker's own: nobody has to use the odds that a scorer allows."""
    return replace(channel, clip=Fraction(1, 2**MODEST_BITS))


def coarse(channel: Channel) -> Channel:
    """The channel with a grid no finer than an attack needs: what is certified on it is certified on a finer one."""
    return with_grids(channel, channel.useful_bits)


def _propose_modest(channel: Channel) -> Proposal[BlockRecord] | None:
    best = most_listed(modest(channel))
    return None if best is None or not certify(channel, best).holds else listed_cost(channel, best)


def exact_block(channel: Channel, m: int) -> Proposal[BlockRecord]:
    """Weights 1, 1/2, 1/4, ... of an exact score, all halved as often as the clip demands."""
    reach = channel.reach()
    shift = 0
    while 0 < reach < arb.pos_inf() and not Fraction(9, 8) / 2**shift <= lower(reach):
        shift += 1
    bits = m + m.bit_length() + 6 + shift
    parameters = DyadicWeights(queries_for(channel, m), channel.wanted, m, bits, shift)
    return block_cost(channel, parameters, m, m + shift + channel.rows.bit_length() + 1, bits)


def listed_cost(channel: Channel, parameters: ListedBlock) -> Proposal[BlockRecord]:
    """The price of a block whose rows are written out: a score must hold the least gap of its sums."""
    bits = max(
        ceil_of(
            lambda: (
                (channel.scored / smallest_gap(channel.metric, parameters.rows, parameters.core)).log() / arb(2).log()
            )
        ),
        0,
    )
    prediction = max(p.denominator.bit_length() for p in parameters.rows)
    return block_cost(channel, parameters, parameters.m, bits, prediction)


def most_listed(channel: Channel) -> ListedBlock | None:
    """The largest certified block."""
    # Only chances are shared among all queries: otherwise one block serves any number of labels beyond its own.
    alike = channel if channel.random else replace(channel, wanted=min(channel.wanted, MOST_LISTED + 1), budget=None)
    found = _most_listed(alike)
    return None if found is None else replace(found, queries=queries_for(channel, found.m), labels=channel.wanted)


@lru_cache(maxsize=4)  # several attacks start from the block, and so does every goal within a budget
def _most_listed(channel: Channel) -> ListedBlock | None:
    """The same, searched downward from the bound of the sharp dichotomy."""
    with working(channel.working_bits):
        for m in range(_most_labels(channel), 0, -1):
            parameters = listed(channel, m)
            if parameters is not None:
                return with_room(channel, parameters)
    return None


def with_room(channel: Channel, parameters: ListedBlock) -> ListedBlock:
    """The same block with all weights stretched to what W allows, so that the margin is more than a hair's breadth."""
    reach = channel.reach()
    stretch = reach / channel.metric.weight(parameters.rows[-1]) * (1 - arb(2) ** -20)
    if not stretch > 1:
        return parameters
    rows = [
        channel.metric.prediction(channel, ball(upper(channel.metric.weight(p) * stretch))) for p in parameters.rows
    ]
    wider = replace(parameters, rows=tuple(p for p in rows if p is not None))
    return wider if wider.m == parameters.m and certify(channel, wider).holds else parameters


def listed(channel: Channel, m: int) -> ListedBlock | None:
    """A certified block of m weights, if there is one for any of the distances that its sums may keep."""
    for step in _steps(channel, m):
        parameters = _ascending(channel, m, step)
        if parameters is not None and certify(channel, parameters).holds:
            return parameters
    return None


def _steps(channel: Channel, m: int) -> Iterator[arb]:
    """Distances to keep between sums: a little over 2E, or as much as W and the format allow where noise grows."""
    if channel.law.grows or channel.exact_scores:
        widest = _widest(channel)
        yield from (widest * (1 - arb(2) ** -spare) / arb(2) ** (m - 1) for spare in SPARED)
        return
    errors = channel.errors(queries_for(channel, m))
    for loss in _losses(channel, errors):
        yield 2 * errors.sum_error(loss) * (1 + arb(2) ** -40)


def _widest(channel: Channel) -> arb:
    """W, or what a fixed-point score of weights that ascend like powers of two does not overflow at."""
    reach = channel.reach()
    largest = channel.scores.largest() if channel.scores.fixed else None
    if largest is None:
        return reach
    room = largest - channel.neutral_charge() - channel.law.size()
    return reach.min(channel.scored * room / 2)


def _losses(channel: Channel, errors: Errors) -> Iterator[arb]:
    """Bounds on the loss of a query: whatever the weights are; where digits are relative, noise still below 10^e."""
    reach = channel.reach()
    # The weights ascend like powers of two: their sum is below twice the largest, and a charge is at most
    # ln 2 above its weight.
    most = channel.neutral_charge() + 2 * reach / channel.scored
    yield most
    decade = arb(1) / channel.parts  # of a sum: what the mean is where the sum has a digit more
    while channel.digits.grows and decade < most:
        yield (decade - errors.constant()) / (1 + errors.relative()) * (1 - arb(2) ** -60)
        decade = 10 * decade


def _ascending(channel: Channel, m: int, step: arb) -> ListedBlock | None:
    """m weights, each the least that the format carries above the sum of the smaller ones plus the step."""
    if not (step.is_finite() and step > 0):
        return None
    rows: list[Fraction] = []
    low = arb(0)
    for _ in range(m):
        p = channel.metric.prediction(channel, ball(upper(low + step)))
        if p is None:
            return None
        rows.append(p)
        low += channel.metric.weight(p)
    return ListedBlock(queries_for(channel, m), channel.wanted, tuple(rows))


def _most_labels(channel: Channel) -> int:
    """A number of labels a query that surely is not exceeded."""
    reach = channel.reach()
    least = 2 * channel.errors(1).sum_error(channel.neutral_charge() / 2)
    if not least.is_finite() or not reach > 0:
        return 0
    if not least > 0:
        return min(channel.wanted, MOST_LISTED)
    most = ceil_of(lambda: (reach / least).log() / arb(2).log()) + 1
    return max(0, min(channel.wanted, MOST_LISTED, most))


def geometric(channel: Channel, m: int, base: int) -> GeometricOdds | None:
    """The least exponent at which odds base^(exponent 2^i) outgrow the error, if any does."""
    queries = queries_for(channel, m)
    alpha = channel.law.factor()
    errors = channel.errors(queries)
    relative = errors.relative()
    # (1+alpha) gap > 2 (N constant + relative (N ln 2 + gap (2^m - 1))), solved for the gap
    slope = 1 + alpha - 2 * relative * (arb(2) ** m - 1)
    need = 2 * channel.scored * (errors.constant() + relative * channel.neutral_charge()) / slope
    if not slope > 0 or not need.is_finite():
        return None
    exponent = max(1, ceil_of(lambda: need / ball(base).log() * (1 + arb(2) ** -40)))
    return GeometricOdds(queries, channel.wanted, m, base, exponent)


def _fits(parameters: GeometricOdds, allowed: int) -> bool:
    return parameters.exponent << (parameters.m - 1) <= allowed


def _most_unbounded(channel: Channel, allowed: int) -> int:
    relative = channel.errors(1).relative()
    if relative > 0:
        # The gap must outgrow the error that 2^m - 1 gaps cause.
        return max(1, min(channel.wanted, ceil_of(lambda: (2 / relative).log() / arb(2).log()) + 1))
    if channel.time is Time.EXPONENTIAL:
        return min(channel.wanted, MOST_DOUBLED)
    return max(1, min(channel.wanted, allowed.bit_length()))

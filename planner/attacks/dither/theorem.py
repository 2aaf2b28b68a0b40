"""D: dithered spread. Rounding as uniform noise that the attacker's own coins make, averaged and then settled exactly."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from math import erfc, inf, log, sqrt

from planner.attacks.attack import Attack
from planner.attacks.dither.parameters import HALF, DitheredSpread
from planner.attacks.spread.parameters import base_set
from planner.attacks.theorem import Proposal, Theorem
from planner.attacks.threshold.parameters import SETTLING_REACH, Thresholds
from planner.attacks.threshold.setting import rounding_refusals, shared_setting
from planner.attacks.threshold.theorem import most_queries, no_offset, offsets
from planner.channel.channel import Channel
from planner.designs.hadamard import orders
from planner.designs.popcounts import fewest_queries, popcount_sum
from planner.model import Refusal
from planner.numerics.reals import ball
from planner.numerics.search import first_between

LARGEST_BASE = 6  # labels in a butterfly's base row; more never won
TRIED = 4  # shapes whose settling is bounded rigorously
MOST_SLACK = 0.01  # gaps by which the grid of predictions may move a sum
SEED = 1


class Dither(Theorem[DitheredSpread]):
    """A Hadamard matrix of butterflies under subtractive dither."""

    id = "dither"
    title = "Dithered spread on deterministic rounding"
    cite = "attack D"
    statement = (
        "An offset uniform over one cell makes the rounding error uniform and independent of the labels, over the "
        "attacker's coins alone. Query (tau, t) weighs block b of the labels by H[tau, b] times row t of a butterfly; "
        "averaging over tau leaves every block's sums nearly integers, exact comparisons settle the doubtful ones, and "
        "a last one verifies all labels. The labels are never wrong; the number of queries holds with the promised "
        "probability. Fewer decimals raise the price of the attack and never rule it out."
    )
    conditions = (
        "no noise, or a bound far below a decimal",
        "scores rounded to decimals",
        "adaptive queries",
        "N q > W/2",
    )
    partial = False

    def propose(self, channel: Channel) -> Proposal[DitheredSpread] | tuple[Refusal, ...]:
        """The shape with the fewest queries that suffice with probability 1 - delta."""
        reasons = rounding_refusals(self, channel)
        small = channel.metric.smallest_usable(channel)
        if reasons or small is None:
            return reasons or (self.refuse(channel, "clip", "W of at least 1", "a clip above 1/4"),)
        queries = most_queries(channel)  # with more than a comparison a label takes this attack is of no use
        setting = offsets(channel, shared_setting(channel, small, queries, HALF), steady_share(channel))
        if setting is None or channel.rows - setting.offset_rows < 2:
            return (no_offset(self, channel, small),)
        if 2 * float(setting.cell) < setting.reach:
            have = f"{float(setting.cell):.6g}"
            need = "rounding coarser than the design attack bears: N 10^-d > W/2"
            return (self.refuse(channel, "decimals", need, have),)
        best = best_spread(channel, setting)
        if best is None:
            return (self.refuse(channel, "confidence", "a shape that settles in time", "none found"),)
        return _cost(channel, best)

    def deciding(self, channel: Channel) -> str:
        """Rounding is no error here: what comes before it is."""
        return "noise" if not channel.law.quiet else "phi"

    def build(self, channel: Channel, parameters: DitheredSpread) -> Attack:
        """A runnable dithered attack."""
        from planner.attacks.dither.run import DitherAttack

        return DitherAttack(parameters)


def steady_share(channel: Channel) -> float:
    """How far an offset row's charge may be off for the grid to cost little of delta over all queries."""
    return float(channel.delta) / channel.rows


@dataclass(frozen=True)
class Shape:
    """Order of the Hadamard matrix, rounds and base of the butterfly, and about how many queries they take."""

    base: int
    order: int
    rounds: int
    expected: float


def best_spread(channel: Channel, setting: Thresholds) -> DitheredSpread | None:
    """The best of the shapes that look best."""
    best: DitheredSpread | None = None
    for shape in sorted(shapes(channel, setting), key=_expected)[:TRIED]:
        best = spread_of(channel, setting, shape, best) or best
    return best


def _expected(shape: Shape) -> float:
    return shape.expected


def shapes(channel: Channel, setting: Thresholds) -> Iterator[Shape]:
    """Shapes whose averaged error has a standard deviation between 0.06 and 0.3 gaps."""
    labels = setting.rows - setting.offset_rows
    for base in range(1, LARGEST_BASE + 1):
        if not steady_levels(setting, base):
            continue
        spread = float(setting.cell) * base_set(base).maximum / setting.reach
        least, most = int(spread**2 / (12 * 0.3**2)), int(spread**2 / (12 * 0.06**2)) + 2
        for order in orders(max(1, least), min(most, 2 * labels)):
            block = -(-labels // order)
            rounds = fewest_queries(block, lambda r, n0=base: n0 * r + popcount_sum(r))  # type: ignore[misc]
            if not settles(setting, base, rounds):
                continue
            yield Shape(base, order, rounds, estimate(order, rounds, spread, float(channel.delta) / setting.bits))


def settles(setting: Thresholds, base: int, rounds: int) -> bool:
    """Whether comparisons of many sums bear the error: their gap is the less the more queries a block takes."""
    gap = min(setting.reach, SETTLING_REACH) / (rounds * base_set(base).maximum)
    return gap / 2 > setting.tolerance


def steady_levels(setting: Thresholds, base: int) -> bool:
    """Whether predictions for all entries lie well on the grid near 1, where one column has to put them."""
    amplitude = base_set(base).maximum
    gap = setting.reach / amplitude
    off = setting.scored_by.steady_multiple(setting.columns, gap * (amplitude - 1))
    return setting.rows * off < MOST_SLACK * gap


def estimate(order: int, rounds: int, spread: float, delta: float) -> float:
    """About the certified number of queries, with normal errors and Bernstein's or Cantelli's inequality."""
    M, variance = order * rounds, spread**2 / (12 * order)
    if M * erfc(1 / sqrt(2 * variance)) > delta:
        return inf
    mean, square = _normal_moments(M, variance)
    most = 12 * order * variance * 4  # about rho times the largest mean square of a round
    needed = log(1.3 / delta)
    bernstein = sqrt(2 * M * square * needed) + most * needed / 3
    return M + M * mean + min(bernstein, sqrt(M * square / delta))


def _normal_moments(M: int, variance: float) -> tuple[float, float]:
    """Mean and mean square of a sum's settling cost."""
    eta, depth = variance * log(2), M.bit_length()
    deepest = min(int(0.5 / eta), depth)
    mean, square, height = 2.0**-deepest, 4.0**-deepest, 2.0**-deepest
    steps = [(0.5 - i * eta, 2.0**-i) for i in range(deepest, 0, -1)]
    steps += [(0.5 + i * eta, 1.0) for i in range(1, deepest + 1)]
    for at, rise in steps:
        chance = erfc(at / sqrt(2 * variance))
        mean += rise * chance
        square += rise * (2 * height + rise) * chance
        height += rise
    return mean, square


def spread_of(
    channel: Channel, setting: Thresholds, shape: Shape, best: DitheredSpread | None = None
) -> DitheredSpread | None:
    """The shape with the fewest settling comparisons that its tail bound allows, if it beats the best so far."""
    if shape.expected == inf:
        return None
    from planner.attacks.dither.certify import jumps, left_to_coins, moved  # few channels are so coarse
    from planner.attacks.dither.settling import Settling

    shared = {each.name: getattr(setting, each.name) for each in fields(Thresholds)}
    bare = DitheredSpread(
        order=shape.order,
        rounds=shape.rounds,
        base=shape.base,
        settle=0,
        seed=SEED,
        **{**shared, "queries": most_queries(channel)},
    )
    settling = Settling(bare, moved(bare))
    spare = ball(left_to_coins(channel, bare)) / bare.bits - jumps(channel, bare)
    spare -= settling.sums * settling.exceeds(Fraction(1))
    fixed = bare.bootstrap + settling.sums + 1 + max(bare.offset_rows - 1, 0)
    high = 2 * settling.sums
    if best is not None:
        high = min(high, best.queries // bare.bits - fixed - 1)
    if not (spare > 0 and high > 0 and settling.suffices(high, spare)):
        return None
    settle = first_between(lambda comparisons: settling.suffices(comparisons, spare), 0, high)
    return replace(bare, settle=settle, queries=bare.bits * (fixed + settle))


def _cost(channel: Channel, parameters: DitheredSpread) -> Proposal[DitheredSpread]:
    return Proposal(
        parameters,
        Fraction(parameters.labels, parameters.queries),
        precision_bits=0,
        prediction_bits=parameters.small.denominator.bit_length(),
        operations=4 * channel.rows * parameters.queries,
        memory=16 * channel.rows * channel.columns + 8 * parameters.block * parameters.rounds,
        within=lambda queries: parameters.labels if queries >= parameters.queries else 0,
    )

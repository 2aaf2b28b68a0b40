"""D: dithered spread. Rounding as uniform noise that the attacker's own coins make, averaged and then settled exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING

from planner.attacks.attack import Attack
from planner.attacks.theorem import Proposal, Theorem, unasked
from planner.attacks.threshold.setting import rounding_refusals, shared_setting
from planner.attacks.threshold.theorem import most_queries, no_offset, offsets
from planner.channel.channel import Channel
from planner.model import Refusal
from planner.numerics.reals import ball
from planner.numerics.search import first_between, largest

if TYPE_CHECKING:
    from planner.attacks.dither.parameters import DitheredSpread
    from planner.attacks.dither.shapes import Shape
    from planner.attacks.threshold.parameters import Thresholds

LIKELIEST = 6  # shapes whose settling is bounded rigorously
SEED = 1


class Dither(Theorem["DitheredSpread"]):
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
    compares = True
    conditions = (
        "no noise, or a bound far below a decimal",
        "scores rounded to decimals",
        "adaptive queries",
        "N q > W/2",
    )

    def propose(self, channel: Channel) -> Proposal[DitheredSpread] | tuple[Refusal, ...]:
        """The shape with the fewest queries that suffice with probability 1 - delta."""
        reasons = rounding_refusals(self, channel)
        small = channel.metric.smallest_usable(channel)
        if reasons or small is None:
            return reasons or (self.refuse(channel, "clip", "W of at least 1", "a clip above 1/4"),)
        from planner.attacks.dither.parameters import HALF

        queries = most_queries(channel)  # with more than a comparison a label takes this attack is of no use
        setting = offsets(channel, shared_setting(channel, small, queries, HALF), steady_share(channel))
        if setting is None or channel.rows - setting.offset_rows < 2:
            return (no_offset(self, channel, small),)
        if 2 * float(setting.cell) < setting.reach:
            have = f"N 10^-d = {float(setting.cell):.4g}"
            need = "rounding coarser than the design attack bears: N 10^-d > W/2"
            return (self.refuse(channel, "decimals", need, have),)
        best = best_spread(channel, setting)
        if best is None:
            return (self.refuse(channel, "confidence", "a shape that settles in time", "none found"),)
        return _cost(channel, best, lambda queries: most_labels(channel, setting, queries))

    def build(self, channel: Channel, parameters: DitheredSpread) -> Attack:
        """A runnable dithered attack."""
        from planner.attacks.dither.run import DitherAttack

        return DitherAttack(parameters)


def steady_share(channel: Channel) -> float:
    """How far an offset row's charge may be off for the grid to cost little of delta over all queries."""
    return float(channel.delta) / channel.rows


def best_spread(channel: Channel, setting: Thresholds) -> DitheredSpread | None:
    """The fewest queries that recover as many labels as are wanted."""
    whole = _all_labels(unasked(channel), setting)
    if channel.wanted == channel.rows:
        return whole
    found = (some_labels(channel, setting), whole and without_offset(whole, channel.wanted))
    return min((one for one in found if one), key=lambda one: one.queries, default=None)


@lru_cache(maxsize=4)
def _all_labels(channel: Channel, setting: Thresholds) -> DitheredSpread | None:
    """The best of the shapes that look best."""
    from planner.attacks.dither.shapes import shapes

    best: DitheredSpread | None = None
    for shape in sorted(shapes(channel, setting), key=_expected)[:LIKELIEST]:
        best = spread_of(channel, setting, shape, best) or best
    return best


def _expected(shape: Shape) -> float:
    return shape.expected


def spread_of(
    channel: Channel, setting: Thresholds, shape: Shape, best: DitheredSpread | None = None
) -> DitheredSpread | None:
    """The shape with the fewest settling comparisons that its tail bound allows, if it beats the best so far."""
    if shape.expected == inf:
        return None
    from planner.attacks.dither.certify import jumps, left_to_coins, moved  # few channels are so coarse
    from planner.attacks.dither.settling import Settling

    bare = replace(_bare(setting, shape.base, shape.order, shape.rounds), queries=most_queries(channel))
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


# -- some of the labels -------------------------------------------------------------------------------


def some_labels(channel: Channel, setting: Thresholds) -> DitheredSpread | None:
    """Of the rungs that hold as many labels as are wanted the one with the fewest queries."""
    from planner.attacks.dither.shapes import ladder

    outside = setting.rows - setting.offset_rows
    found = ((rung, rung.rounds(min(channel.wanted, outside))) for rung in ladder(channel, setting))
    rung, rounds = min(found, key=lambda one: one[0].asked(one[1]), default=(None, 0))
    if rung is None or rung.asked(rounds) == inf:
        return None
    labels = max(channel.wanted, min(rung.labels(rounds), outside))
    p = replace(_bare(setting, rung.base, rung.order, rounds), labels=labels, settle=int(rung.settle(rounds)))
    return replace(p, queries=p.bits * (p.bootstrap + int(rung.asked(rounds)) + 1 + p.own))


def most_labels(channel: Channel, setting: Thresholds, queries: int) -> int:
    """How many labels the rungs hold within so many queries, and a label of the offset for each query that is left."""
    from planner.attacks.dither.shapes import ladder

    room, outside = queries // setting.bits - setting.bootstrap - 1, setting.rows - setting.offset_rows
    whole = _all_labels(unasked(channel), setting)
    spare = (queries - without_offset(whole, 1).queries) // setting.bits if whole else -1
    most = outside + min(spare, setting.offset_rows - 1) if spare >= 0 else 0
    for rung in ladder(channel, setting):
        enough = rung.rounds(outside)
        rounds = largest(lambda r, rung=rung: rung.asked(r) <= room, min(enough, room // rung.order))  # type: ignore[misc]
        left = room - rung.asked(rounds) if rounds == enough else 0
        most = max(most, min(rung.labels(rounds), outside) + int(min(left, setting.offset_rows - 1)) if rounds else 0)
    return most


def without_offset(whole: DitheredSpread, wanted: int) -> DitheredSpread:
    """The attack on all labels without those labels of the offset that are not wanted."""
    fewer = replace(whole, labels=max(wanted, whole.rows - whole.offset_rows))
    return replace(fewer, queries=whole.queries - whole.bits * (whole.own - fewer.own))


def _bare(setting: Thresholds, base: int, order: int, rounds: int) -> DitheredSpread:
    """All labels, and nothing settled yet."""
    from planner.attacks.dither.parameters import DitheredSpread
    from planner.attacks.threshold.parameters import Thresholds

    shared = {each.name: getattr(setting, each.name) for each in fields(Thresholds)}
    return DitheredSpread(order=order, rounds=rounds, base=base, settle=0, seed=SEED, **shared)


def _cost(channel: Channel, parameters: DitheredSpread, within: Callable[[int], int]) -> Proposal[DitheredSpread]:
    return Proposal(
        parameters,
        Fraction(parameters.labels, parameters.queries),
        precision_bits=0,
        prediction_bits=parameters.small.denominator.bit_length(),
        operations=4 * channel.rows * parameters.queries,
        memory=16 * channel.rows * channel.columns + 8 * parameters.block * parameters.rounds,
        within=within,
    )

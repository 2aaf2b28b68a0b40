"""S and H: random noise averaged out by a Hadamard matrix while every label takes part in every query."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from flint import arb

from planner.attacks.attack import Attack
from planner.attacks.spread.certify import (
    alarm,
    allowed_by_parseval,
    failure,
    fixed_error,
    gap,
    left_to_means,
    score_error,
    too_many_wrong,
)
from planner.attacks.spread.parameters import HadamardMean, Spread
from planner.attacks.theorem import Proposal, Theorem
from planner.attacks.threshold.setting import short
from planner.channel.channel import Channel
from planner.channel.conditions import AVERAGING, RANDOM_NOISE
from planner.channel.errors import float_error
from planner.designs.hadamard import order_above, orders
from planner.designs.popcounts import fewest_queries, popcount_sum
from planner.model import Refusal
from planner.numerics.reals import upper
from planner.numerics.search import first

LARGEST_BASE = 40  # labels in a butterfly's base row
MOST_REPEATS = 2**40
SEED = 1
Averaged = TypeVar("Averaged", bound=Spread)


class SpreadButterfly(Theorem[Spread]):
    """H (x) D: the butterfly behind a Hadamard matrix."""

    id = "spread"
    title = "Spread butterfly under random noise"
    cite = "attack S"
    statement = (
        "Query (tau, t) weighs block b of the labels by H[tau, b] times row t of a butterfly D. Averaging over tau gives "
        "each block's sums with an error that is the mean of h independent noises. With M = h r queries all labels are "
        "right with probability 1-δ if M P(|mean of h noises| >= g/(2N) - e) <= δ, g the log-odds of an entry 1 and e "
        "what is no noise; for Gaussian noise that is 2 M Q(g sqrt(h)/(2 σ N))."
    )
    conditions = ("random, independent noise",)
    partial = False

    def propose(self, channel: Channel) -> Proposal[Spread] | tuple[Refusal, ...]:
        """The fewest queries over all bases and orders."""
        small = channel.metric.smallest_usable(channel)
        reasons = averaging_refusals(self, channel)
        reasons += self.unmet(channel, RANDOM_NOISE)
        if reasons or small is None:
            return reasons or (self.refuse(channel, "clip", "a clip below 1/4", "above"),)
        best = best_spread(channel, small)
        if best is None:
            need = "noise and rounding that average to below W/(2N) within 2N queries"
            return (self.refuse(channel, "noise", need, "more"),)
        return averaging_cost(channel, best)

    def build(self, channel: Channel, parameters: Spread) -> Attack:
        """A runnable spread attack."""
        from planner.attacks.spread.run import SpreadAttack

        return SpreadAttack(parameters)


class Hadamard(Theorem[HadamardMean]):
    """Every label at full weight in every query."""

    id = "hadamard"
    title = "Hadamard averaging"
    cite = "attack H"
    statement = (
        "All labels get log-odds ±W by the rows of a Hadamard matrix of order >= N; correlating the scores with a column "
        "gives its label. Under any errors of at most E in the sum at most floor(4 (E/W)^2) labels are wrong. Under "
        "Gaussian noise a label is wrong with probability exactly Q(sqrt(M) W/(2 N σ)) after M queries."
    )
    conditions = ("random noise, or a goal that allows floor(4 (E/W)^2) wrong labels",)
    partial = False

    def propose(self, channel: Channel) -> Proposal[HadamardMean] | tuple[Refusal, ...]:
        """The matrix once against bounded errors, as often as it takes against random ones."""
        small = channel.metric.smallest_usable(channel)
        reasons = averaging_refusals(self, channel)
        if reasons or small is None:
            return reasons or (self.refuse(channel, "clip", "a clip below 1/4", "above"),)
        bare = _bare_hadamard(channel, small)
        if channel.random:
            found = _repeated(channel, bare)
            return averaging_cost(channel, found) if found else (self._no_average(channel),)
        wrong = allowed_by_parseval(channel, bare)
        if wrong > channel.wrong_allowed:
            need = f"at most {channel.wrong_allowed} wrong labels"
            return (self.refuse(channel, "goal", need, f"up to floor(4 (E/W)^2) = {wrong}"),)
        tolerance = short(upper(score_error(channel, bare)))
        return averaging_cost(channel, replace(bare, wrong=wrong, tolerance=tolerance))

    def _no_average(self, channel: Channel) -> Refusal:
        need = "an error besides noise below W/(2N)"
        return self.refuse(channel, "noise", need, "rounding or floating point above it")

    def build(self, channel: Channel, parameters: HadamardMean) -> Attack:
        """A runnable Hadamard attack."""
        from planner.attacks.spread.hadamard import HadamardAttack

        return HadamardAttack(parameters)


def averaging_refusals(theorem: Theorem[Any], channel: Channel) -> tuple[Refusal, ...]:
    """Why sums of all labels cannot be asked of this channel."""
    reasons = [*theorem.unmet(channel, *AVERAGING)]
    if channel.exact_scores:
        reasons.append(theorem.refuse(channel, "noise", "an error to average out", "exact scores: one query suffices"))
    if not float_error(channel).is_finite():
        reasons.append(theorem.refuse(channel, "N", "a sum whose floating-point error is bounded", f"{channel.rows}"))
    return tuple(reasons)


# -- S ------------------------------------------------------------------------------------------------


def best_spread(channel: Channel, small: Fraction) -> Spread | None:
    """Over all bases, the least order that averages enough; ties go to the smaller base."""
    best: Spread | None = None
    for base in range(1, LARGEST_BASE + 1):
        found = least_order(channel, small, base)
        if found is None:
            return best  # a larger base has a smaller gap
        if best is None or found.queries < best.queries:
            best = found
        if base >= channel.rows:
            return best  # no block has more labels
    return best


def least_order(channel: Channel, small: Fraction, base: int) -> Spread | None:
    """The fewest queries for one base: the least order that averages enough, or a larger one that fits better."""
    bare = _bare_spread(channel, small, base, 1)
    if not gap(bare) / (2 * bare.labels) > fixed_error(channel, bare):
        return None
    choices = _orders(2 * channel.rows)
    at = first(lambda i: _holds(channel, _bare_spread(channel, small, base, choices[i])), len(choices))
    if at is None:
        return None
    fewest = min(choices[at:], key=lambda order: order * _rounds(channel.rows, base, order))
    return _bare_spread(channel, small, base, fewest)


@lru_cache(maxsize=8)
def _orders(most: int) -> list[int]:
    """The same for every base."""
    return orders(1, most)


def _rounds(N: int, base: int, order: int) -> int:
    """Queries of a butterfly that holds one block."""
    return fewest_queries(-(-N // order), lambda r: base * r + popcount_sum(r))


def _holds(channel: Channel, p: Spread) -> bool:
    return bool(failure(channel, p) <= left_to_means(channel))


def _bare_spread(channel: Channel, small: Fraction, base: int, order: int) -> Spread:
    rounds = _rounds(channel.rows, base, order)
    bare = Spread(
        queries=order * rounds * (channel.classes - 1).bit_length(),
        labels=channel.rows,
        classes=channel.classes,
        metric=channel.metric.id,
        columns=channel.columns,
        small=small,
        order=order,
        rounds=rounds,
        base=base,
        repeats=1,
        centre=channel.centre,
        tolerance=Fraction(0),
        seed=SEED,
    )
    return replace(bare, tolerance=tolerance_of(channel, bare))


def tolerance_of(channel: Channel, bare: Spread) -> Fraction:
    """What no single score exceeds, but for a quarter of delta."""
    noise = channel.law.within(channel.delta / 4, bare.sums) * (1 + arb(2) ** -20)
    return short(upper(noise + fixed_error(channel, bare)))


# -- H ------------------------------------------------------------------------------------------------


def _bare_hadamard(channel: Channel, small: Fraction) -> HadamardMean:
    order = order_above(channel.rows)
    return HadamardMean(
        queries=order * (channel.classes - 1).bit_length(),
        labels=channel.rows,
        classes=channel.classes,
        metric=channel.metric.id,
        columns=channel.columns,
        small=small,
        order=order,
        rounds=1,
        base=1,
        repeats=1,
        centre=channel.centre,
        tolerance=Fraction(0),
        seed=SEED,
        wrong=channel.wrong_allowed,
    )


def _repeated(channel: Channel, bare: HadamardMean) -> HadamardMean | None:
    """The fewest repeats of the whole matrix that suffice."""
    if not gap(bare) / (2 * bare.labels) > fixed_error(channel, bare):
        return None

    def repeated(times: int) -> HadamardMean:
        again = replace(bare, repeats=times, queries=bare.sums * times)
        return replace(again, tolerance=tolerance_of(channel, again))

    def holds(times: int) -> bool:
        p = repeated(times)
        return bool(too_many_wrong(channel, p) + alarm(channel, p) <= left_to_means(channel))

    times = 1
    while not holds(times):
        times *= 2
        if times > MOST_REPEATS:
            return None
    at = first(lambda i: holds(times // 2 + i), times - times // 2 + 1)
    return repeated(times if at is None else max(1, times // 2 + at))


def averaging_cost(channel: Channel, p: Averaged) -> Proposal[Averaged]:
    """All labels at once, or none: a sum that is not averaged to the end says nothing certain."""
    return Proposal(
        p,
        Fraction(p.labels, p.queries),
        precision_bits=channel.rows.bit_length(),
        prediction_bits=p.small.denominator.bit_length(),
        operations=4 * channel.rows * p.queries,
        memory=16 * channel.rows * channel.columns,
        within=lambda queries: p.labels if queries >= p.queries else 0,
        steps=(),
    )

"""S and H: random noise averaged out by a Hadamard matrix while every label takes part in every query."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator
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
    more_wrong,
    score_error,
    too_many_wrong,
    wrong_chance,
)
from planner.attacks.spread.parameters import HadamardMean, Spread
from planner.attacks.spread.shapes import ALARM, LARGEST_BASE, Averages, Shape, orders_to, rounds_for
from planner.attacks.theorem import Proposal, Theorem, unasked
from planner.attacks.threshold.setting import short
from planner.channel.channel import Channel
from planner.channel.conditions import AVERAGING, RANDOM_NOISE
from planner.channel.errors import float_error
from planner.designs.hadamard import order_above
from planner.model import Refusal
from planner.numerics.reals import upper
from planner.numerics.search import first, largest

MOST_SHAPES = 6  # that are held against delta
ALARM_OF_ALL = Fraction(1, 4)  # of delta: that the attack on all labels refuses its own answer
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

    def propose(self, channel: Channel) -> Proposal[Spread] | tuple[Refusal, ...]:
        """The fewest queries over all bases and orders."""
        small = channel.metric.smallest_usable(channel)
        reasons = averaging_refusals(self, channel)
        reasons += self.unmet(channel, RANDOM_NOISE)
        if reasons or small is None:
            return reasons or (self.refuse(channel, "clip", "a clip below 1/4", "1/4 or more"),)
        best = best_spread(channel, small)
        if best is None:
            need = "noise and rounding that average to below W/(2N) within 2N queries"
            return (self.refuse(channel, "noise", need, "more"),)
        return averaging_cost(channel, best, lambda queries: most_labels(channel, small, queries))

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
    doubtful = True

    def propose(self, channel: Channel) -> Proposal[HadamardMean] | tuple[Refusal, ...]:
        """The matrix once against bounded errors, as often as it takes against random ones."""
        small = channel.metric.smallest_usable(channel)
        reasons = averaging_refusals(self, channel)
        if reasons or small is None:
            return reasons or (self.refuse(channel, "clip", "a clip below 1/4", "1/4 or more"),)
        if channel.random:
            found = averaged_hadamard(channel, small)
            return self._cost(channel, small, found) if found else (self._no_average(channel),)
        wrong = left_wrong(channel, small)
        if wrong > channel.wrong_allowed:
            need = f"at most {channel.wrong_allowed} wrong labels"
            return (self.refuse(channel, "goal", need, f"up to floor(4 (E/W)^2) = {wrong}"),)
        return self._cost(channel, small, bounded_hadamard(channel, small, wrong))

    def propose_known(self, channel: Channel) -> Proposal[HadamardMean] | tuple[Refusal, ...]:
        """Averages so long that no label is wrong; bounded errors do not average out."""
        small = channel.metric.smallest_usable(channel)
        if small is None or not channel.random or averaging_refusals(self, channel):
            return self.propose(channel)
        found = known_hadamard(channel, small)
        return self._cost(channel, small, found) if found else (self._no_average(channel),)

    def likely_right(self, channel: Channel) -> int:
        """By the largest matrix that the budget pays for."""
        small = channel.metric.smallest_usable(channel)
        if small is None or channel.budget is None or averaging_refusals(self, channel):
            return 0
        return right_hadamard(channel, small, channel.budget)

    def _cost(self, channel: Channel, small: Fraction, p: HadamardMean) -> Proposal[HadamardMean]:
        return averaging_cost(channel, p, lambda queries: sure_hadamard(channel, small, queries))

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
    """The fewest queries: for all labels over all bases and orders, for some of them over shapes that hold as many."""
    whole = _all_labels(unasked(channel), small)
    if channel.wanted == channel.rows:
        return whole
    most = whole.queries // whole.bits - 1 if whole else MOST_REPEATS
    return some_labels(channel, small, most) or whole


@lru_cache(maxsize=4)
def _all_labels(channel: Channel, small: Fraction) -> Spread | None:
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
    if not gap(bare) / (2 * bare.rows) > fixed_error(channel, bare):
        return None
    choices = orders_to(2 * channel.rows)
    at = first(lambda i: _holds(channel, _bare_spread(channel, small, base, choices[i])), len(choices))
    if at is None:
        return None
    fewest = min(choices[at:], key=lambda order: order * rounds_for(-(-channel.rows // order), base))
    return _bare_spread(channel, small, base, fewest)


def some_labels(channel: Channel, small: Fraction, most: int) -> Spread | None:
    """The shape with the fewest queries that holds as many labels as are wanted, in at most so many queries."""
    shapes = sorted(averages(channel, small).holding(channel.wanted, most), key=_frugal)
    return _first_certain(channel, small, shapes)


def most_labels(channel: Channel, small: Fraction, queries: int) -> int:
    """How many labels so many queries recover."""
    bits = (channel.classes - 1).bit_length()
    shapes = sorted(averages(channel, small).within(queries // bits), key=lambda one: (-one.labels, *_frugal(one)))
    found = _first_certain(channel, small, shapes)
    return 0 if found is None else found.labels


def _frugal(shape: Shape) -> tuple[int, int]:
    return shape.queries, -shape.labels


def _first_certain(channel: Channel, small: Fraction, shapes: list[Shape]) -> Spread | None:
    """The first of the shapes that keeps to delta; the search has left room, so it is nearly always the first."""
    found = (_shaped(channel, small, one, ALARM) for one in shapes[:MOST_SHAPES])
    return next((one for one in found if _holds(channel, one)), None)


@lru_cache(maxsize=4)
def _averages(channel: Channel, small: Fraction) -> Averages:
    margins: dict[int, arb] = {}
    for base in range(1, LARGEST_BASE + 1):
        bare = _bare_spread(channel, small, base, 1)
        margin = gap(bare) / (2 * bare.rows) - fixed_error(channel, bare)
        if not margin > 0:
            break
        margins[base] = margin
    return Averages(channel, margins)


def averages(channel: Channel, small: Fraction) -> Averages:
    """What has to be averaged on the channel, whatever is wanted of it and within whatever budget."""
    return _averages(unasked(channel), small)


def _holds(channel: Channel, p: Spread) -> bool:
    return bool(failure(channel, p) <= left_to_means(channel))


def _bare_spread(channel: Channel, small: Fraction, base: int, order: int) -> Spread:
    """All labels, each query asked once."""
    return _shaped(channel, small, Shape(base, order, rounds_for(-(-channel.rows // order), base), 1))


def _shaped(channel: Channel, small: Fraction, shape: Shape, share: Fraction = ALARM_OF_ALL) -> Spread:
    """As many labels as the shape holds."""
    bare = Spread(
        queries=shape.queries * (channel.classes - 1).bit_length(),
        labels=min(channel.rows, shape.labels),
        rows=channel.rows,
        classes=channel.classes,
        metric=channel.metric.id,
        columns=channel.columns,
        small=small,
        order=shape.order,
        rounds=shape.rounds,
        base=shape.base,
        repeats=shape.repeats,
        centre=channel.centre,
        tolerance=Fraction(0),
        seed=SEED,
    )
    return replace(bare, tolerance=tolerance_of(channel, bare, share))


def tolerance_of(channel: Channel, bare: Spread, share: Fraction = ALARM_OF_ALL) -> Fraction:
    """What no single score exceeds, but for a share of delta."""
    noise = channel.law.within(channel.delta * share, bare.sums) * (1 + arb(2) ** -20)
    return short(upper(noise + fixed_error(channel, bare)))


# -- H ------------------------------------------------------------------------------------------------


def _bare_hadamard(channel: Channel, small: Fraction, labels: int, wrong: int) -> HadamardMean:
    """One label a block, each query asked once."""
    order = order_above(labels)
    return HadamardMean(
        queries=order * (channel.classes - 1).bit_length(),
        labels=labels,
        rows=channel.rows,
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
        wrong=wrong,
    )


def left_wrong(channel: Channel, small: Fraction) -> int:
    """How many labels bounded errors can turn, however many are asked for."""
    return allowed_by_parseval(channel, _bare_hadamard(channel, small, channel.rows, channel.wrong_allowed))


def bounded_hadamard(channel: Channel, small: Fraction, wrong: int) -> HadamardMean:
    """The smallest matrix that leaves as many labels right as are wanted, all its columns used."""
    order = order_above(min(channel.rows, channel.wanted + wrong))
    bare = _bare_hadamard(channel, small, min(channel.rows, order), wrong)
    return replace(bare, tolerance=short(upper(score_error(channel, bare))))


def averaged_hadamard(channel: Channel, small: Fraction) -> HadamardMean | None:
    """The smallest matrix that leaves as many right as are wanted; if not even the whole does, that one repeated."""
    wanted = min(channel.rows, max(2, channel.wanted))  # that all but one are wrong is not bounded well
    whole = _bare_hadamard(channel, small, channel.rows, channel.rows - wanted)
    if not gap(whole) / (2 * whole.rows) > fixed_error(channel, whole):
        return None
    choices = orders_to(whole.order)

    def once(at: int) -> HadamardMean:
        labels = min(channel.rows, choices[at])
        bare = _bare_hadamard(channel, small, labels, labels - wanted)
        return replace(bare, tolerance=tolerance_of(channel, bare))

    least = bisect_left(choices, wanted)
    at = first(lambda i: _few_wrong(channel, once(least + i)), len(choices) - least)
    return _repeated(channel, whole) if at is None else once(least + at)


def known_hadamard(channel: Channel, small: Fraction) -> HadamardMean | None:
    """As many labels as are wanted and none of them wrong, by the fewest queries over all orders that hold them."""
    bare = _bare_hadamard(channel, small, channel.wanted, 0)
    shapes = sorted(_sure(averages(channel, small), channel.wanted), key=_frugal)[:MOST_SHAPES]
    found = (_repeated_as(channel, replace(bare, order=one.order), one.repeats) for one in shapes)
    return next((one for one in found if _few_wrong(channel, one)), None) or _repeated(channel, bare)


def sure_hadamard(channel: Channel, small: Fraction, queries: int) -> int:
    """About how many labels so many queries leave without any that is wrong."""
    bits = (channel.classes - 1).bit_length()
    if not channel.random:
        return 0
    shared = averages(channel, small)
    return largest(lambda n: any(one.queries <= queries // bits for one in _sure(shared, n)), channel.rows)


def _sure(shared: Averages, labels: int) -> Iterator[Shape]:
    """Matrices that hold the labels, each as often as it takes; a label goes wrong on one side only."""
    if not shared.margins:
        return
    averaged = shared.needed(1, -(-labels * shared.bits // 2))
    most = max(averaged, order_above(labels))
    for order in orders_to(2 * shared.channel.rows):
        if labels <= order <= most or order == order_above(labels):
            yield Shape(1, order, 1, -(-averaged // order))


def right_hadamard(channel: Channel, small: Fraction, queries: int) -> int:
    """About how many labels so many queries leave right, with others beside them that may be wrong."""
    averaged = queries // (channel.classes - 1).bit_length()
    fitting = [one for one in orders_to(order_above(channel.rows)) if one <= averaged]
    if not fitting:
        return 0
    labels = min(channel.rows, fitting[-1])
    if not channel.random:
        return max(0, labels - left_wrong(channel, small))
    p = _repeated_as(channel, _bare_hadamard(channel, small, labels, 0), averaged // fitting[-1])
    each, rest = wrong_chance(channel, p), left_to_means(channel) - alarm(channel, p)
    wrong = first(lambda w: bool(more_wrong(channel, labels, w, each) <= rest), labels - 1)
    return 0 if wrong is None else labels - wrong


def _repeated(channel: Channel, bare: HadamardMean) -> HadamardMean | None:
    """The fewest repeats of the whole matrix that suffice."""
    if not gap(bare) / (2 * bare.rows) > fixed_error(channel, bare):
        return None

    def holds(times: int) -> bool:
        return _few_wrong(channel, _repeated_as(channel, bare, times))

    times = 1
    while not holds(times):
        times *= 2
        if times > MOST_REPEATS:
            return None
    at = first(lambda i: holds(times // 2 + i), times - times // 2 + 1)
    return _repeated_as(channel, bare, times if at is None else max(1, times // 2 + at))


def _repeated_as(channel: Channel, bare: HadamardMean, times: int) -> HadamardMean:
    again = replace(bare, repeats=times, queries=bare.sums * times)
    return replace(again, tolerance=tolerance_of(channel, again))


def _few_wrong(channel: Channel, p: HadamardMean) -> bool:
    return bool(too_many_wrong(channel, p) + alarm(channel, p) <= left_to_means(channel))


def averaging_cost(channel: Channel, p: Averaged, within: Callable[[int], int]) -> Proposal[Averaged]:
    """Every label that is asked for in every query."""
    return Proposal(
        p,
        Fraction(p.labels, p.queries),
        precision_bits=channel.rows.bit_length(),
        prediction_bits=p.small.denominator.bit_length(),
        operations=4 * channel.rows * p.queries,
        memory=16 * channel.rows * channel.columns,
        within=within,
    )

"""A Ladder from a public level: what is shown falls for the right pattern of a few rows, and for no other.

Rows that are sure hold p for one class and 1 - p for the other, all others are at 1/2. With c sure rows, all of them
right, the sum of charges is X_c = (N - c) ln K + c light(p); each wrong one adds W(p). The board shows R and falls for a
score below R - eta. So if X_c + e < N (R - eta) < X_c + W(p) - e, e the error of computing a sum, it falls for the right
pattern alone, to the multiple of eta that is nearest to X_c/N: which one does not depend on the labels, as long as the
error does not reach the middle between two multiples. So all levels are known beforehand, and so is how many rows are
sure at each.

Queries. Let V(k, t) be the most queries from k known labels at level t on, c_t the sure rows there. If k < c_t, the m =
c_t - k new rows take 2^m - 1 patterns at most (the last one need not be tried: the board stays, and the labels are known
all the same). If k >= c_t, one row beside c_t - 1 known ones takes one query, and the board stays or falls. V rises with
t: by induction, since m new rows and then m' - m more are (2^m - 1) + (2^(m'-m) - 1) <= 2^m' - 1 queries. So the worst
case falls at every level, and c_t labels are known after the sum over t of 2^(c_t - c_(t-1)) - 1 queries at most.
Whatever happens k >= c_(t-1), so rows never run out before c_T labels are known.

The start is above a multiple by less than a step, so the first fall is by half a step at least, all others by a step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from flint import arb

from dsl.scenario import LadderOf
from planner.attacks.inequalities import guarantee
from planner.attacks.patterns.parameters import Patterns
from planner.channel.channel import Channel
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

SHOWN_PARTS = 2**40  # floats are off by less than a 2^-52nd part of what they show
LARGEST_CHARGE = Fraction(64)  # of rows that are no surer than 2^-53
MOST_NEW = 24  # rows whose patterns are tried at one level: more are no attack that anybody runs


@dataclass(frozen=True)
class Climb:
    """What a record's levels come to."""

    fall: arb  # by how much the sum of the right pattern is below what makes the board fall, at least
    stay: arb  # by how much that of a wrong one is above
    steps: tuple[int, ...]  # multiples of eta that are shown, as long as it is certain which


def prove(channel: Channel, parameters: Patterns) -> Proof:
    """All levels are certain, and only the right pattern falls."""
    held = (parameters.doubt, 1 - parameters.doubt)
    fit = sum(channel.metric.takes(channel, one) for one in held)
    levels = len(parameters.sure)
    checks = (
        compare("probabilities that the scorer takes as they are", lambda: ball(fit), ">=", lambda: ball(len(held))),
        compare("levels at which more rows are sure than before, and not too many", lambda: ball(rising(channel, parameters)),
                ">=", lambda: ball(max(1, levels))),
        compare("rows that are sure in the end >= labels", lambda: ball(parameters.sure[-1]), ">=",
                lambda: ball(parameters.labels)),
        compare("queries >= patterns of all levels", lambda: ball(parameters.queries), ">=", lambda: ball(parameters.asked)),
    )  # fmt: skip
    return Proof(guarantee(channel), (*checks, *_told(channel, parameters)))


def rising(channel: Channel, parameters: Patterns) -> int:
    """Levels with new rows, few enough to be tried; the first may have none."""
    pairs = list(pairwise((0, *parameters.sure)))
    first = bool(pairs) and pairs[0] == (0, 0)
    return first + sum(0 < two - one <= MOST_NEW and two <= channel.scored for one, two in pairs)


def error(channel: Channel, parameters: Patterns) -> arb:
    """e: of computing a sum of charges, whatever is wrong."""
    sure = max(parameters.sure)
    most = sure * channel.metric.heavy(parameters.doubt) + (channel.scored - sure) * channel.neutral_charge()
    return replace(channel, shown=None).errors(1).sum_error(most / channel.scored)


def total(channel: Channel, parameters: Patterns, sure: int) -> arb:
    """X_c."""
    return (channel.scored - sure) * channel.neutral_charge() + sure * channel.metric.light(parameters.doubt)


def climb(channel: Channel, parameters: Patterns) -> Climb:
    """Level after level, as long as it is certain what is shown."""
    assert isinstance(channel.release, LadderOf)
    assert channel.release.start is not None
    rows, eta, shown = channel.scored, ball(channel.release.eta), ball(channel.release.start)
    off, weight = arb(0, error(channel, parameters).upper()), channel.metric.weight(parameters.doubt)
    fall, stay, steps = arb.pos_inf(), arb.pos_inf(), []
    for sure in parameters.sure:
        right, edge = total(channel, parameters, sure), rows * (shown - eta)
        fall, stay = fall.min(edge - right), stay.min(right + weight - edge)
        step = ((right + off) / (rows * eta) + arb("0.5")).floor().unique_fmpz()
        if step is None:
            break
        steps.append(int(step))
        shown = int(step) * eta
    return Climb(fall, stay, tuple(steps))


def _told(channel: Channel, parameters: Patterns) -> tuple[Inequality, ...]:
    def found(part: Callable[[Climb], arb]) -> Callable[[], arb]:
        return lambda: part(climb(channel, parameters))

    def off() -> arb:
        return error(channel, parameters)

    levels = len(parameters.sure)
    certain = (
        compare("levels that are certain", found(lambda one: ball(len(one.steps))), ">=", lambda: ball(levels)),
        compare("least room below the board's edge > E", found(lambda one: one.fall), ">", off),
        compare("least room of a wrong row above it > E", found(lambda one: one.stay), ">", off),
    )
    return (*certain, seen_steps(channel))


def seen_steps(channel: Channel) -> Inequality:
    """Half a step is more than what digits hide, and what the decoder allows for."""
    assert isinstance(channel.release, LadderOf)
    eta, hidden = channel.release.eta.lo, 2 * shown_within(channel)
    return compare("half a step > what is shown may be off, twice", lambda: ball(eta / 2), ">", lambda: ball(hidden))


def shown_within(channel: Channel) -> Fraction:
    """How far what is shown may be from the level: half a unit, and 2^-40 for floats and numbers known to some digits."""
    assert isinstance(channel.release, LadderOf)
    start = channel.release.start
    top = LARGEST_CHARGE if start is None else start.hi
    return (channel.digits.unit or Fraction(0)) / 2 + (1 + top) / SHOWN_PARTS

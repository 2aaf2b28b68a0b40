"""What a score of relative precision tells, where submissions do not depend on the labels.

Significant digits and floats are as fine as a score is small: each cell is at least a share u of the scores that it holds.
But charges are never negative, so whoever moves a score also makes it large: its variance is at most rho times the square
of its mean. With d the distance of a cell from the mean, in means, Gibbs' inequality against exp(-l d^2) bounds the
entropy: of the cells that reach t times the mean each is t u long at least, and those below, A at most, are 1 - t away.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, log
from math import log2 as float_log2
from typing import NamedTuple

from flint import arb

from planner.channel.channel import Channel
from planner.channel.errors import float_error
from planner.limits.counting import fewest_answers
from planner.limits.energy import FARTHEST, golden, grid_bits_at, rational, theta
from planner.numerics.reals import ball, log2

PARTS = (*(Fraction(k, 8) for k in range(1, 7)), *(1 - Fraction(1, 2**k) for k in range(3, 8)))  # the t that are tried
SCALES = 5.0  # l is sought within e^-this and e^this times 1/rho


class Relative(NamedTuple):
    """A score whose cells grow with it."""

    unit: Fraction  # u
    answers: int  # A
    variance: arb  # rho, errors included


def relative_of(channel: Channel) -> Relative | None:
    """Of scores without noise and labels of which nothing is known; None: they need not be steady."""
    unit = _unit(channel)
    found = None if channel.secret.informed or channel.split else channel.metric.steadiness(channel)
    answers = fewest_answers(channel)
    if unit is None or found is None or answers is None or channel.law.name != "none":
        return None
    steadiness, mean = found
    variance = steadiness / channel.scored
    if not variance.is_finite():
        return None
    # A computed score is off by a share of the exact one, and by what entries lose before they are charged; its digits
    # are read off it with roundings of their own.
    share = float_error(channel, shown=False) + ball(channel.scores.unit * (1 + channel.digits.roundings))
    moved = ball(channel.metric.moved(channel) or 0) / mean
    return Relative(unit, answers[0], (variance.sqrt() + share * (1 + variance).sqrt() + moved) ** 2)


def _unit(channel: Channel) -> Fraction | None:
    """Of which share of its largest score each cell is at least: of n significant digits, or of a float."""
    if channel.digits.grows:
        return Fraction(1, 10**channel.digits.digits)
    return channel.scores.unit if channel.scores.floating else None  # digits that do not grow are a grid of one step


def relative_bits(score: Relative, rate: Fraction, part: Fraction) -> arb:
    """log2(1 + theta(l t^2 u^2) + A exp(-l (1-t)^2)) + l rho log2 e."""
    below = score.answers * (-(ball(rate * (1 - part) ** 2)).min(arb(FARTHEST))).exp()
    return log2(1 + theta(rate * (part * score.unit) ** 2) + below) + ball(rate) * score.variance / arb(2).log()


def best_rate(score: Relative) -> tuple[Fraction, Fraction]:
    """l and t, in floats: any of them give a true bound."""
    middle = -float(score.variance.log())

    def bits(u: float, part: Fraction) -> float:
        near = grid_bits_at(u + 2 * log(part * score.unit))
        below = float_log2(score.answers) - exp(u) * float(1 - part) ** 2 / log(2)
        return max(near, below) + float_log2(1 + 2 ** -abs(near - below)) + exp(u - middle) / log(2)

    def best(part: Fraction) -> float:
        return golden(lambda u: -bits(u, part), middle - SCALES, middle + SCALES)

    part = min(PARTS, key=lambda part: bits(best(part), part))
    return rational(best(part)), part

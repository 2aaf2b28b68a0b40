"""Attacks on rounding: every boundary lies farther from the sums it parts than noise and floating point reach."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from planner.attacks.threshold.parameters import (
    CHARGE_BITS,
    DIGIT_SLACK,
    Thresholds,
    direct_boundary,
    known_rows_needed,
    verifying_weight,
)
from planner.channel.channel import Channel
from planner.channel.errors import WHOLE, hidden
from planner.channel.sides import BINARY, imbalance
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare, working

CLIP_BITS = 256  # enough to tell 1 - p from 1 - clip
SHOWN_BITS = 51  # a shown score over its unit is off by 2^-51 of itself: both are float64, and so is the quotient


def prove(channel: Channel, p: Thresholds) -> Proof:
    """One comparison a label, and one that verifies."""
    own = offset_inequalities(p) if p.offset_rows else _direct_inequalities(p)
    return Proof(certainty(channel), (*setting_inequalities(channel, p), *own, _outside(p), _query_count(p)))


def certainty(channel: Channel, share: Fraction = WHOLE) -> str:
    """What comparisons with a margin promise; noise without a bound for certain has a share of delta."""
    if channel.law.tailed:
        chance = float(channel.delta * share)
        return f"every labeling, with probability at least 1 - {chance:g} over the noise that is rounded"
    quiet = channel.law.quiet
    what = (
        "for a scorer that adds no noise to what it rounds" if quiet else "whatever noise within its bound is rounded"
    )
    return f"every labeling, with certainty, {what}"


def _query_count(p: Thresholds) -> Inequality:
    name = "queries >= (labels + bootstrap or verification) * bits of a class"
    return compare(name, lambda: ball(p.queries), ">=", lambda: ball(p.asked))


def _outside(p: Thresholds) -> Inequality:
    """Labels are asked of rows outside the offset; its own come last, when those make an offset in turn."""
    asked = min(p.labels, p.rows - p.offset_rows)
    return compare(
        "labels asked one by one <= rows outside the offset",
        lambda: ball(asked),
        "<=",
        lambda: ball(p.rows - p.offset_rows),
    )


# -- what all of them rest on --------------------------------------------------------------------------


def setting_inequalities(channel: Channel, p: Thresholds) -> tuple[Inequality, ...]:
    """The scorer takes the predictions as they are, and computes as exactly as is assumed."""
    used = [p.small, p.offset_small]
    if p.columns == 1:
        used += [1 - small for small in used]
    with working(CLIP_BITS):
        taken = sum(channel.metric.takes(channel, one) for one in used)
    return (
        compare("classes told apart >= K", lambda: ball(p.classes), ">=", lambda: ball(channel.classes)),
        compare("columns of a submission", lambda: ball(p.columns), ">=",
                lambda: ball(1 if channel.classes == 2 else channel.classes)),
        compare("labels >= goal", lambda: ball(p.labels), ">=", lambda: ball(channel.wanted)),
        compare("predictions that the scorer takes as they are", lambda: ball(taken), ">=", lambda: ball(len(used))),
        compare("assumed floating-point error of a score >= e_f", lambda: ball(p.error), ">=",
                lambda: float_error_of_score(channel, p.queries, p.smallest, p.noise_share, p.noise_centre)),
        compare("float error of a shown score, in its last decimal < 1/4", lambda: reading_error(p), "<",
                lambda: ball(Fraction(DIGIT_SLACK))),
    )  # fmt: skip


def reading_error(p: Thresholds) -> arb:
    """How far from a whole number of units a shown score is: as a float64, over the unit as another, rounded."""
    return (largest_score(p) + ball(p.error)) * arb(2) ** -SHOWN_BITS / ball(p.unit)


def float_error_of_score(channel: Channel, queries: int, small: Fraction, share: Fraction, centre: Fraction) -> arb:
    """e_f: what noise and floating point add to a score before it is rounded, at the largest loss that rows can cause.

    Noise without a bound for certain exceeds it with at most a `share` of delta; its centre is reckoned with.
    """
    errors = channel.errors(queries, share)
    constant = errors.constant() - hidden(channel) + abs(ball(channel.law.centre - centre))
    return constant + errors.relative() * channel.metric.heavy(small)


def tolerance(p: Thresholds) -> arb:
    """Error of a sum of N charges before it is rounded: the scorer's, noise included, and the attacker's own."""
    return ball(p.rows) * (ball(p.error) + own_error(p))


def steady_tolerance(channel: Channel, p: Thresholds) -> arb:
    """The part of it that is no random noise."""
    noise = channel.errors(p.queries, p.noise_share).noise()
    rest = float_error_of_score(channel, p.queries, p.smallest, p.noise_share, p.noise_centre) - noise
    return ball(p.rows) * (rest + own_error(p))


def own_error(p: Thresholds) -> arb:
    """What the attacker's float64 adds to it, a row."""
    return largest_score(p) * arb(2) ** -CHARGE_BITS


def largest_score(p: Thresholds) -> arb:
    """What no score exceeds by more than its error: the largest charge, and the centre of the noise."""
    return heaviest(p) + abs(ball(p.noise_centre))


def heaviest(p: Thresholds) -> arb:
    """The largest charge of any row."""
    return p.scored_by.heavy(p.smallest)


def weight(p: Thresholds, small: Fraction) -> arb:
    """W: the log-odds between two sides of the classes that are surely realised with no probability below `small`."""
    return p.scored_by.strength(small, p.classes)


def offset_range(p: Thresholds) -> arb:
    """How much more a row pays at the offset's largest log-odds than at its least, on the side where that is less."""
    least, most = ball(Fraction(p.least_offset)), weight(p, p.offset_small)
    return p.scored_by.payment_range(least, most, imbalance(p.classes))


def offset_deviation(p: Thresholds) -> arb:
    """How far the offset rows' total charge is off what was wanted: a charge moves no faster than its log-odds."""
    return p.offset_rows * p.scored_by.level_step(p.columns, p.offset_small)


# -- with offset rows ----------------------------------------------------------------------------------


def offset_inequalities(p: Thresholds) -> tuple[Inequality, ...]:
    """The offset covers a cell, and no boundary is missed."""

    def cell() -> arb:
        return ball(p.cell)

    def covered() -> arb:
        saved = (weight(p, p.offset_small) - ball(Fraction(p.least_offset))) / 2
        return p.offset_rows * (offset_range(p) - saved)

    def known() -> arb:
        return known_rows_needed(p) * offset_range(p)

    def reach_of_error() -> arb:
        return offset_deviation(p) + tolerance(p)

    rows = p.rows - p.offset_rows
    return (
        compare("range of the offset rows >= one cell N q", covered, ">=", cell),
        compare("range of rows with known labels >= one cell N q", known, ">=", cell),
        compare("rows outside the offset >= rows needed for that", lambda: ball(rows), ">=",
                lambda: ball(max(1, known_rows_needed(p)))),
        compare("half a row's least offset > float error + dev", lambda: ball(Fraction(p.least_offset)) / 2, ">",
                reach_of_error),
        compare("W/2 > float error + dev", lambda: weight(p, p.small) / 2, ">",
                lambda: reach_of_error() + p.scored_by.level_step(p.columns, p.small)),
    )  # fmt: skip


# -- without ------------------------------------------------------------------------------------------


def _direct_inequalities(p: Thresholds) -> tuple[Inequality, ...]:
    boundary, _ = direct_boundary(p)

    def place() -> arb:
        return boundary_at(p, boundary) - (p.rows - 1) * p.scored_by.neutral_charge(2)

    first = Fraction(verifying_weight(p)[0])
    light, heavy = p.scored_by.light, p.scored_by.heavy
    smalls = [Fraction(p.scored_by.level(sign * float(first), p.columns, BINARY).small) for sign in (1, -1)]
    return (
        compare("classes without offset rows", lambda: ball(p.classes), "<=", lambda: ball(2)),
        compare("boundary - charge of a label that pays nothing > float error",
                lambda: place() - light(p.small), ">", lambda: tolerance(p)),
        compare("charge of a label that pays W - boundary > float error",
                lambda: heavy(p.small) - place(), ">", lambda: tolerance(p)),
        compare("first boundary - charge of right labels > float error",
                lambda: boundary_at(p, 0) - p.rows * _most(smalls, light), ">", lambda: tolerance(p)),
        compare("charge with one wrong label - first boundary > float error",
                lambda: (p.rows - 1) * _least(smalls, light) + _least(smalls, heavy) - boundary_at(p, 0), ">",
                lambda: tolerance(p)),
    )  # fmt: skip


def boundary_at(p: Thresholds, shown: int) -> arb:
    """The sum of charges above which more than `shown` units are shown."""
    half = Fraction(1 if p.truncates else Fraction(1, 2))
    return (ball(shown) + ball(half)) * ball(p.cell) - ball(p.rows * p.noise_centre)


def _most(smalls: list[Fraction], charge: Callable[[Fraction], arb]) -> arb:
    return charge(smalls[0]).max(charge(smalls[1]))


def _least(smalls: list[Fraction], charge: Callable[[Fraction], arb]) -> arb:
    return charge(smalls[0]).min(charge(smalls[1]))

"""Attacks on rounding: every boundary lies farther from the sums it parts than noise and floating point reach."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from dsl.scenario import NoNoise
from planner.attacks.levels import level
from planner.attacks.threshold.parameters import (
    DIGIT_SLACK,
    Thresholds,
    direct_boundary,
    known_rows_needed,
    verifying_weight,
)
from planner.channel.channel import Channel, c_half_unit
from planner.channel.grid import carries
from planner.designs.sides import imbalance, odds_of
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare, working

CLIP_BITS = 256  # enough to tell 1 - p from 1 - clip


def prove(channel: Channel, p: Thresholds) -> Proof:
    """One comparison a label, and one that verifies."""
    own = offset_inequalities(p) if p.offset_rows else _direct_inequalities(p)
    return Proof(certainty(channel), (*setting_inequalities(channel, p), *own, _outside(p), _query_count(p)))


def certainty(channel: Channel) -> str:
    """What comparisons with a margin promise."""
    quiet = isinstance(channel.noise, NoNoise)
    what = (
        "for a scorer that adds no noise to what it rounds" if quiet else "whatever noise within its bound is rounded"
    )
    return f"every labeling, with certainty, {what}"


def _query_count(p: Thresholds) -> Inequality:
    name = "queries >= (labels + bootstrap or verification) * bits of a class"
    return compare(name, lambda: ball(p.queries), ">=", lambda: ball(p.asked))


def _outside(p: Thresholds) -> Inequality:
    """Labels are asked of rows outside the offset; its own labels come last, and only together."""
    asked = p.rows - p.offset_rows if p.whole else p.labels
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
        taken = sum(carries(channel, one) for one in used)
    return (
        compare("classes told apart >= K", lambda: ball(p.classes), ">=", lambda: ball(channel.K)),
        compare("columns of a submission", lambda: ball(p.columns), ">=",
                lambda: ball(1 if channel.K == 2 else channel.K)),
        compare("labels >= goal", lambda: ball(p.labels), ">=", lambda: ball(channel.target)),
        compare("predictions that the scorer takes as they are", lambda: ball(taken), ">=", lambda: ball(len(used))),
        compare("assumed floating-point error of a score >= e_f", lambda: ball(p.error), ">=",
                lambda: float_error_of_score(channel, p)),
        compare("float error of a shown score, in its last decimal < 1/4", lambda: reading_error(p), "<",
                lambda: ball(Fraction(DIGIT_SLACK))),
    )  # fmt: skip


def reading_error(p: Thresholds) -> arb:
    """How far from a whole number of units a shown score is: as a float64, over the unit as another, rounded."""
    return -(ball(p.small).log()) * arb(2) ** -51 / ball(p.unit)


def float_error_of_score(channel: Channel, p: Thresholds) -> arb:
    """e_f: what noise and floating point add to a score before it is rounded, at the largest loss that rows can cause."""
    errors = channel.errors(p.queries)
    return errors.constant() - c_half_unit(channel) + errors.relative() * -(ball(p.small).log())


def tolerance(p: Thresholds) -> arb:
    """Error of a sum of N charges before it is rounded: the scorer's, noise included, and the attacker's own."""
    return ball(p.rows) * (ball(p.error) + weight(p, p.small) * arb(2) ** -48)


def weight(p: Thresholds, small: Fraction) -> arb:
    """W: the log-odds between two sides of the classes that are surely realised with no probability below `small`."""
    return ball(odds_of(small, p.classes)).log()


def offset_range(p: Thresholds) -> arb:
    """How much more a row pays at the offset's largest log-odds than at its least, on the side where that is less."""
    ratio, least = ball(imbalance(p.classes)), ball(Fraction(p.least_offset))
    return ((ratio + weight(p, p.offset_small).exp()) / (ratio + least.exp())).log()


def grid_step(p: Thresholds, small: Fraction) -> arb:
    """How far the log-odds of a row are off at most when its smaller probability is at least `small`."""
    relative = arb(2) ** -50
    return relative + arb(2) ** -53 / ball(small) if p.columns == 1 else relative


def offset_deviation(p: Thresholds) -> arb:
    """How far the offset rows' total charge is off what was wanted: a charge moves no faster than its log-odds."""
    return p.offset_rows * grid_step(p, p.offset_small)


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
                lambda: reach_of_error() + grid_step(p, p.small)),
    )  # fmt: skip


# -- without ------------------------------------------------------------------------------------------


def _direct_inequalities(p: Thresholds) -> tuple[Inequality, ...]:
    boundary, _ = direct_boundary(p)

    def place() -> arb:
        return boundary_at(p, boundary) - (p.rows - 1) * arb(2).log()

    first = Fraction(verifying_weight(p)[0])
    smalls = [Fraction(level(sign * float(first), p.columns).small) for sign in (1, -1)]
    return (
        compare("classes without offset rows", lambda: ball(p.classes), "<=", lambda: ball(2)),
        compare("boundary - charge of a label that pays nothing > float error",
                lambda: place() + (1 - ball(p.small)).log(), ">", lambda: tolerance(p)),
        compare("charge of a label that pays W - boundary > float error",
                lambda: -(ball(p.small).log()) - place(), ">", lambda: tolerance(p)),
        compare("first boundary - charge of right labels > float error",
                lambda: boundary_at(p, 0) - p.rows * _most(smalls, _light), ">", lambda: tolerance(p)),
        compare("charge with one wrong label - first boundary > float error",
                lambda: (p.rows - 1) * _least(smalls, _light) + _least(smalls, _heavy) - boundary_at(p, 0), ">",
                lambda: tolerance(p)),
    )  # fmt: skip


def boundary_at(p: Thresholds, shown: int) -> arb:
    """The sum of charges above which more than `shown` units are shown."""
    return (ball(shown) + ball(Fraction(1 if p.truncates else Fraction(1, 2)))) * ball(p.cell)


def _light(small: Fraction) -> arb:
    return -((1 - ball(small)).log())


def _heavy(small: Fraction) -> arb:
    return -(ball(small).log())


def _most(smalls: list[Fraction], charge: Callable[[Fraction], arb]) -> arb:
    return charge(smalls[0]).max(charge(smalls[1]))


def _least(smalls: list[Fraction], charge: Callable[[Fraction], arb]) -> arb:
    return charge(smalls[0]).min(charge(smalls[1]))

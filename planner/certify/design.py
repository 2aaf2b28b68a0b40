"""Designs: every label in every query. Rounding to whole gaps is right while the error stays below half a gap."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Arbitrary, FixedPoint, Ieee
from planner.certify.common import enough_room, guarantee, score_fits
from planner.channel import SMALLEST_NORMAL, Channel, unit_roundoff
from planner.model import Certificate, Inequality
from planner.parameters import DesignStages
from planner.reals import ball, compare

RATIO_UNITS = 6  # how far exp (2 ulp) and two divisions leave the ratio of two entries, in unit roundoffs
EXACT_UNITS = 4  # complements, 1/K and row sums, which an exact scorer does not round as the attacker does
LOG_UNITS = 2  # the attacker's rounding of a mantissa's logarithm, in unit roundoffs of float64


def certify_design(channel: Channel, parameters: DesignStages) -> Certificate:
    """Reach, capacity and separation."""
    design = parameters.design
    name = "gap > 2 (E + dev)"
    return Certificate(
        parameters,
        guarantee(channel),
        (
            _reach(channel, parameters),
            compare(name, lambda: ball(parameters.gap), ">", lambda: 2 * design_error(channel, parameters)),
            enough_room(design.capacity(), parameters.labels),
            compare(
                "queries asked >= queries of the design",
                lambda: ball(parameters.queries),
                ">=",
                lambda: ball(design.M * parameters.digits),
            ),
            _classes(channel, parameters),
            *score_fits(channel, lambda: largest_loss(channel, parameters)),
        ),
    )


def _classes(channel: Channel, parameters: DesignStages) -> Inequality:
    """A design of K classes tells K classes; binary stages tell 2^digits."""
    told = parameters.design.K**parameters.digits
    return compare("classes told apart >= K", lambda: ball(told), ">=", lambda: ball(channel.K))


def _reach(channel: Channel, parameters: DesignStages) -> Inequality:
    def limit() -> arb:
        return design_reach(channel, parameters.design.K, parameters.digits)

    largest = parameters.gap * parameters.design.amplitude
    return compare("W >= gap x amplitude", limit, ">=", lambda: ball(largest))


def written_floor(channel: Channel) -> arb:
    """The smallest probability that an attacker who writes float64 can submit and the scorer takes as it is."""
    least, p = ball(Fraction(1, 2 ** SMALLEST_NORMAL[64])), channel.smallest_probability()
    return least if p is None else least.max(p)


def design_reach(channel: Channel, design_classes: int, digits: int) -> arb:
    """W for rows of two groups of classes, or of classes each with a level of its own."""
    p = written_floor(channel)
    if channel.K == 2:
        return ((1 - p) / p).log()
    if design_classes > 2:
        return -(p.log()) - ball(channel.K).log()
    larger = max(max(_group_sizes(channel.K, digit)) for digit in range(digits))
    odds = (1 / p - larger) / larger
    return odds.log() if odds > 0 else arb.neg_inf()


def _group_sizes(K: int, digit: int) -> tuple[int, int]:
    inside = sum(1 for k in range(K) if k >> digit & 1)
    return inside, K - inside


def largest_loss(channel: Channel, parameters: DesignStages) -> arb:
    """ln K plus the mean spread: a row of spread x charges at most ln K + x."""
    spread = ball(parameters.gap * parameters.design.row_l1_bound(parameters.labels))
    return ball(channel.K).log() + spread / channel.N


def design_error(channel: Channel, parameters: DesignStages) -> arb:
    """E, and how far predictions and the attacker's own arithmetic miss what the design wants."""
    largest = ball(parameters.gap * parameters.design.amplitude)
    spread = ball(parameters.gap * parameters.design.row_l1_bound(parameters.labels))
    return spread_error(channel, parameters.queries, largest, spread)


def spread_error(channel: Channel, queries: int, largest: arb, spread: arb) -> arb:
    """The error for rows of spread at most `largest` each and `spread` together."""
    loss = ball(channel.K).log() + spread / channel.N
    scorer = channel.errors(queries).sum_error(loss)
    return scorer + deviation(channel, largest, spread) + own_error(channel, spread)


def deviation(channel: Channel, largest: arb, total: arb) -> arb:
    """The sum over a row of |realised - wanted| log-odds, from the largest spread and the sum of all spreads.

    In one column the complement of a prediction near 1, and on a fixed grid any small prediction, is off by an
    absolute amount, which costs exp(x) times as much in a row of spread x. Given the sum of the spreads, a convex
    cost is largest when as many rows as possible have the largest one.
    """
    spent = channel.N + total / largest * largest.exp()
    if isinstance(channel.precision, FixedPoint):
        step = ball(Fraction(1, 2**channel.precision.fraction_bits))
        return 2 * step * channel.K * (channel.N + spent)
    exact = isinstance(channel.precision, Arbitrary)
    unit = ball(unit_roundoff(Ieee(64) if isinstance(channel.precision, Arbitrary) else channel.precision))
    relative = unit * ((RATIO_UNITS + EXACT_UNITS * exact) * channel.N + 2 * total)
    return relative + unit * spent if channel.columns == 1 else relative


def own_error(channel: Channel, spread: arb) -> arb:
    """The attacker's float64: logarithms of mantissas, and at last one quotient of size `spread` over the gap."""
    return ball(unit_roundoff(Ieee(64))) * (LOG_UNITS * channel.N + 2 * spread)

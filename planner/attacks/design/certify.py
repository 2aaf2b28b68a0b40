"""Designs: every label in every query. Rounding to whole gaps is right while the error stays below half a gap."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Arbitrary, FixedPoint, Ieee
from planner.attacks.design.parameters import DesignStages
from planner.attacks.inequalities import enough_room, guarantee, score_fits
from planner.channel.channel import SMALLEST_NORMAL, Channel, unit_roundoff
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

RATIO_UNITS = 6  # how far exp (2 ulp) and two divisions leave the ratio of two entries, in unit roundoffs
EXACT_UNITS = 4  # complements, 1/K and row sums, which an exact scorer does not round as the attacker does
LOG_UNITS = 2  # the attacker's rounding of a mantissa's logarithm, in unit roundoffs of float64


def prove(channel: Channel, parameters: DesignStages) -> Proof:
    """Reach, capacity and separation."""
    design, sound = parameters.design, _sound(parameters)
    if not sound.holds:
        return Proof("nothing: the design is none", (sound,))
    name = "gap > 2 (E + dev)"
    return Proof(
        guarantee(channel),
        (
            _reach(channel, parameters),
            compare(name, lambda: ball(parameters.gap), ">", lambda: 2 * design_error(channel, parameters)),
            sound,
            enough_room(design.capacity(), parameters.labels),
            compare(
                "queries asked >= queries of the design",
                lambda: ball(parameters.queries),
                ">=",
                lambda: ball(design.M * parameters.digits),
            ),
            _classes(channel, parameters),
            *score_fits(channel, parameters.queries, lambda: largest_loss(channel, parameters)),
        ),
    )


def _sound(parameters: DesignStages) -> Inequality:
    """The design is one whose sums determine its labels, whoever wrote the record."""
    sound = parameters.design.sound()
    return compare("designs that hold what they say", lambda: ball(int(sound)), ">=", lambda: ball(1))


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
    """How many of the classes have the binary digit set, and how many have not."""
    half = 1 << digit
    inside = K // (2 * half) * half + max(0, K % (2 * half) - half)
    return inside, K - inside


def largest_loss(channel: Channel, parameters: DesignStages) -> arb:
    """What no labeling of a query exceeds on average."""
    return mean_loss(channel, *_spreads(parameters))


def mean_loss(channel: Channel, largest: arb, spread: arb) -> arb:
    """The most that rows of spread at most `largest` each and `spread` together charge on average.

    A row of spread x charges at most ln K + x. Of two classes it charges at most x + ln(1 + e^-x), which is convex:
    it stays below the chord from 0 to the largest spread.
    """
    nothing = ball(channel.K).log()
    if channel.K > 2 or not largest > 0:
        return nothing + spread / channel.N
    heaviest = largest + (1 + (-largest).exp()).log()
    return nothing + spread / channel.N * (heaviest - nothing) / largest


def design_error(channel: Channel, parameters: DesignStages) -> arb:
    """E, and how far predictions and the attacker's own arithmetic miss what the design wants."""
    return spread_error(channel, parameters.queries, *_spreads(parameters), parameters.design.K)


def _spreads(parameters: DesignStages) -> tuple[arb, arb]:
    """The largest spread of a row, and the most that all rows of a query have together."""
    gap, design = parameters.gap, parameters.design
    return ball(gap * design.amplitude), ball(gap * design.row_l1_bound(parameters.labels))


def spread_error(channel: Channel, queries: int, largest: arb, spread: arb, classes: int) -> arb:
    """The error for rows of spread at most `largest` each and `spread` together."""
    loss = mean_loss(channel, largest, spread)
    scorer = channel.errors(queries).sum_error(loss, heaviest=ball(channel.K).log() + largest)
    return scorer + deviation(channel, largest, spread, classes) + own_error(channel, largest, spread)


def deviation(channel: Channel, largest: arb, total: arb, classes: int) -> arb:
    """By how much a row's charges may together miss what the design wants, from the spreads of the rows.

    The ratio of two entries misses by units of its own size. In one column the complement of a prediction near 1,
    and on a fixed grid any small prediction, is off by an absolute amount, which costs exp(x) times as much in a row
    of spread x. Given the sum of the spreads, a convex cost is largest when as many rows as possible have the largest.
    """
    spent = channel.N + total / largest * largest.exp()
    if isinstance(channel.precision, FixedPoint):
        step = ball(Fraction(1, 2**channel.precision.fraction_bits))
        return 2 * step * channel.K * (channel.N + spent)
    exact = isinstance(channel.precision, Arbitrary)
    unit = ball(unit_roundoff(Ieee(64) if isinstance(channel.precision, Arbitrary) else channel.precision))
    ratios = RATIO_UNITS * channel.N + 2 * total + (spent if channel.columns == 1 else 0)
    # Of two groups of classes the attacker reckons from midway between them: either misses by half the difference.
    missed = ratios / 2 if classes == 2 else ratios
    return unit * (missed + EXACT_UNITS * exact * channel.N)


def own_error(channel: Channel, largest: arb, spread: arb) -> arb:
    """The attacker's float64: logarithms of mantissas, and at last one quotient of the sum, error included, by the gap."""
    return ball(unit_roundoff(Ieee(64))) * (LOG_UNITS * channel.N + spread + largest)

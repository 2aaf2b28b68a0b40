"""Blocks behind a root or a quotient: scores of neighbouring sums are farther apart than both of their errors."""

from __future__ import annotations

from fractions import Fraction

from planner.attacks.inequalities import alike, enough_room, fits_submission, guarantee
from planner.attacks.squares.parameters import SquareBlock
from planner.channel.channel import Channel
from planner.channel.metrics.squares import SquaresMetric
from planner.numerics.inequality import Inequality, Proof
from planner.numerics.reals import ball, compare

MOST_PLACES = 1024  # of a block: no format tells more


def prove(channel: Channel, parameters: SquareBlock) -> Proof:
    """Every prediction is a float64 that is taken; scores of two labelings of a block differ by more than 2E."""
    metric, m, gap, t = channel.metric, parameters.m, parameters.gap, parameters.t
    if not isinstance(metric, SquaresMetric):
        raise ValueError("no metric of a sum of squares")
    if not 1 <= m <= MOST_PLACES or gap <= 0 or t < 0:
        raise ValueError("a block needs labels, few enough, and a gap")
    if parameters.before not in ((1, 2) if t else (0,)):
        raise ValueError("all rows are at t in one query or in two, or in none if there is no t")
    if alike(channel) and not metric.one_class:
        raise ValueError("labels that are all alike, of which no score of this metric tells anything")
    written = parameters.predictions()
    held = sum(_is_taken(channel, one) for one in written)
    largest = largest_sum(channel, parameters)
    return Proof(
        promised(channel, metric),
        (
            fits_submission(m, channel.rows),
            enough_room(m * (parameters.queries - parameters.before), parameters.labels),
            compare("predictions that are taken as they are", lambda: ball(held), ">=", lambda: ball(len(written))),
            compare(
                "scores of neighbouring sums apart > 2E",
                lambda: metric.apart(channel, gap, largest),
                ">",
                lambda: 2 * metric.error(channel, parameters.queries, largest),
            ),
            *(_ones(channel, parameters) if metric.needs_ones else ()),
        ),
    )


def promised(channel: Channel, metric: SquaresMetric) -> str:
    """Labels that are all alike have no score that tells them, where both classes are needed."""
    kept = guarantee(channel)
    return kept if metric.one_class else kept.replace("every labeling", "every labeling with both classes", 1)


def _ones(channel: Channel, parameters: SquareBlock) -> tuple[Inequality, ...]:
    """The number of ones is told, or read off one score or two."""
    if channel.exactly:
        return ()
    told = _by_one if parameters.before == 1 else _by_two
    return told(channel, parameters)


def _by_one(channel: Channel, parameters: SquareBlock) -> tuple[Inequality, ...]:
    """All rows at t are scored 1 - N f, f(n) = t^2/n + (t-1)^2/(N - n), and no two n are scored alike.

    At t = 1 that is 1/n: neighbours are more than 1/N apart in N f, and 1/(2N) of the sum of both.
    Otherwise let x = t - 1/2, n = N/2 + y, B = N^2/4 and h = N (x + 1/(4x))/2, so that f = 2x (h - y)/(B - y^2), and
    f(y) - f(z) = 2x (y - z)(h (y + z) - B - yz)/((B - y^2)(B - z^2)). From x >= N on h is 2B or more. The last factor is
    B - y^2 in size for z = -y; above h for a negative y + z; and h/2 or more for a positive one, for yz <= (y + z)^2/4, and
    yz <= 0 if y + z = 1. So N f is 8x/N apart at least; and since f <= N t^2/(B - y^2), x/(N t^2) of the sum of both.
    A score is off by c + r (1 + N f). Half of the step for each part: less than (2t - 1)/(4N) and (2t - 1)/(4 N t^2) do.
    """
    errors, N, t = channel.errors(parameters.queries), channel.scored, parameters.t
    reach = 2 * t - 1
    asked = (t == 1 or reach >= 2 * N) and not channel.digits.grows
    return (
        compare("a submission that tells the number of ones", lambda: ball(int(asked)), ">=", lambda: ball(1)),
        compare(
            "(2t - 1)/(4N) > error of a score",
            lambda: ball(reach / (4 * N)),
            ">",
            lambda: errors.constant() + errors.relative(),
        ),
        compare(
            "2t - 1 > 4 N t^2 relative error", lambda: ball(reach), ">", lambda: 4 * N * ball(t * t) * errors.relative()
        ),
    )


def _by_two(channel: Channel, parameters: SquareBlock) -> tuple[Inequality, ...]:
    """Two scores differ by D(n) = N (2t - 1)(1/n - 1/(N - n)).

    With a = n and b = N - n, neighbours differ by N (2t - 1)(1/(a(a+1)) + 1/(b(b-1))), which is at least 8 (2t - 1)/N, and at
    least 2t - 1 times 1/a + 1/b or 1/(a+1) + 1/(b-1), whichever is larger. A score is off by c + r (1 + N t^2 (1/a + 1/b)) at
    most, c what is constant and r what is relative; the difference of two by twice that, for either neighbour. Half of the
    step for each part: 4 (2t - 1)/N > 4 (c + r), and (2t - 1)/2 > 4 r N t^2.
    """
    errors, N, t = channel.errors(parameters.queries), channel.scored, parameters.t
    reach = 2 * t - 1
    asked = parameters.before == 2 and t >= 1 and not channel.digits.grows
    return (
        compare("submissions that tell the number of ones", lambda: ball(int(asked)), ">=", lambda: ball(1)),
        compare(
            "(2t - 1)/N > error of a score", lambda: ball(reach / N), ">", lambda: errors.constant() + errors.relative()
        ),
        compare(
            "2t - 1 > 8 N t^2 relative error", lambda: ball(reach), ">", lambda: 8 * N * ball(t * t) * errors.relative()
        ),
    )


def largest_sum(channel: Channel, parameters: SquareBlock) -> Fraction:
    """((1 + w)/2)^2 for each weight, 1/4 for every other row."""
    charged = (((1 + parameters.gap * (1 << place)) / 2) ** 2 for place in range(parameters.m))
    return sum(charged, Fraction(max(channel.rows - parameters.m, 0), 4))


def _is_taken(channel: Channel, value: Fraction) -> bool:
    """A float64, and within [0, 1] where no others are."""
    if channel.predictions == "probability" and not 0 <= value <= 1:
        return False
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False

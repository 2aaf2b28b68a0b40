"""Comparisons on a secret part: every boundary lies farther from the sums that it parts than any error reaches.

With s(w) what a scored row of weight w charges its cheap class, and w + s(w) its dear one, n scored rows and E the error of
their sum before it is rounded:

All rows at v, c + 1/2 members of the dear class reckoned with, 2c + 1 >= n: c v + n s(v) rises by a whole cell n q between
v = `start` and `most`, and one member more or less than c + 1/2 moves it by v/2 at least.

Rows that are tested at `most`, all others at x, k members of the dear class: without a member among the tested the sum is
k x + n s(x) at most, with one k x + most - x + n s(most) at least. Their middle rises by (k - 1/2) dx - n/2 ds, a cell
between x = `least` and `turn`, and both lie (most - x - n (s(x) - s(most)))/2 away from it.

Members that were found at y, tested rows at `most` against the other class, all others as cheap for that class as can be:
a member among the tested adds `most`. What was found, half of the scored rows at least, pays y + s(y): that rises by more
between `start` and `most` than what counts does.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from planner.attacks.corners import within_reach
from planner.attacks.split_threshold.parameters import SplitThresholds, comparisons
from planner.attacks.threshold.certify import SHOWN_BITS, certainty
from planner.attacks.threshold.parameters import CHARGE_BITS, DIGIT_SLACK
from planner.channel.channel import Channel
from planner.channel.errors import hidden
from planner.numerics.inequality import Proof
from planner.numerics.reals import ball, compare


def prove(channel: Channel, p: SplitThresholds) -> Proof:
    """Every labeling and every split of a known number of rows."""
    n, unit = channel.scored, ball(channel.digits.unit or 0)

    def rest(weight: Fraction) -> arb:
        return channel.metric.corner_rest(ball(weight), 1, 1)

    def counted() -> arb:
        return ball((p.most - p.start) / 2) * n - n * (rest(p.start) - rest(p.most))

    def moved() -> arb:
        return ball((p.rarest * 2 - 1) * (p.turn - p.least) / 2) - n * (rest(p.least) - rest(p.turn)) / 2

    def margin() -> arb:
        return (ball(p.most - p.turn) - n * (rest(p.least) - rest(p.most))) / 2

    def read() -> arb:
        return largest_score(channel, p) * arb(2) ** -SHOWN_BITS / unit

    return Proof(
        certainty(channel),
        (
            within_reach(channel, ball(p.most)),
            compare("least weight of all rows in a test >= weight that counting starts at",
                    lambda: ball(p.least), ">=", lambda: ball(p.start)),
            compare("range of all rows >= one cell n q", counted, ">=", lambda: n * unit),
            compare("half the weight that counting starts at > error", lambda: ball(p.start / 2), ">",
                    lambda: comparison_error(channel, p)),
            compare("range of the fewest members >= one cell n q", moved, ">=", lambda: n * unit),
            compare("margin of a test > error", margin, ">", lambda: comparison_error(channel, p)),
            compare("fewest members <= those of the commoner class",
                    lambda: ball(p.rarest), "<=", lambda: ball((n + 1) // 2)),
            compare("float error of a shown score, in its last decimal < 1/4", read, "<",
                    lambda: ball(Fraction(DIGIT_SLACK))),
            compare("queries >= comparisons that suffice", lambda: ball(p.queries), ">=",
                    lambda: ball(comparisons(channel.rows, n, p.rarest, p.both))),
        ),
    )  # fmt: skip


def largest_charge(channel: Channel, p: SplitThresholds) -> arb:
    """No row charges more."""
    return ball(p.most) + channel.metric.corner_rest(ball(p.start), 1, 1)


def largest_score(channel: Channel, p: SplitThresholds) -> arb:
    """What no score exceeds, error and noise included."""
    return largest_charge(channel, p) + abs(ball(channel.law.centre)) + score_error(channel, p)


def score_error(channel: Channel, p: SplitThresholds) -> arb:
    """What noise and floating point add to a score before it is rounded."""
    errors = channel.errors(p.queries)
    return errors.constant() - hidden(channel) + errors.relative() * largest_charge(channel, p)


def comparison_error(channel: Channel, p: SplitThresholds) -> arb:
    """E: how far a sum, before it is rounded, is from what labels predict; the attacker's own float64 included."""
    own = (largest_charge(channel, p) + abs(ball(channel.law.centre))) * arb(2) ** -CHARGE_BITS
    missed = channel.metric.corner_missed(channel, ball(p.most), either=True)
    return channel.scored * (score_error(channel, p) + own) + missed

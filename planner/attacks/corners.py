"""Corner rows: some classes are dear and the others cheap, and a row that is not scored reads like one of a cheap class.

A row of weight w charges the dear classes w more than the cheap ones, and every label of a scored row the same rest beside
that, whatever it is: ln(n + m e^-w) under log-loss, n cheap classes and m dear ones. Rows that are not scored charge nothing.
How many rows are scored is known, so the sum of all charges is the sum of the weights of those scored rows whose class is
dear, plus as many rests. With weights between `least` and `most` these lie between the rests of both: from midway they are
off by half the difference for each row, and by nothing at all where all weights are alike.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from planner.attacks.inequalities import score_fits
from planner.channel.channel import Channel
from planner.channel.metrics.log_loss import FLOAT_UNIT
from planner.channel.sides import bits_of, ones_of
from planner.designs.base import Design
from planner.numerics.inequality import Inequality
from planner.numerics.reals import ball, ceil_of, compare

READ_BITS = 6  # of the error of an exact score that is left unread
OWN_UNITS = 8  # of a row: a charge as it is wanted, its prediction and the logarithm of that, in float64
Parts = tuple[tuple[int, int], ...]
"""For every question, how many classes are dear and how many cheap."""


class DearFirst:
    """What records share that ask first which rows are scored and not of class 0, and then for the classes of those."""

    classes: int

    @property
    def told(self) -> int:
        """As many as it was made for."""
        return self.classes

    @property
    def parts(self) -> Parts:
        """Dear and cheap classes of what is asked first."""
        return ((self.classes - 1, 1),)

    @property
    def fixes(self) -> dict[str, str]:
        """Which classes are dear depends on how many there are."""
        return {"K": f"{self.classes}"}

    def stages(self, design: Design) -> int:
        """How often a design of members is asked: for all classes at once, or for each binary digit of the class less one."""
        return 1 if design.K > 2 else bits_of(self.classes - 1)


def digits_of(channel: Channel) -> Parts:
    """Questions about the binary digits of the class: those that have it are dear."""
    K = channel.classes
    return tuple((ones_of(K, bit), K - ones_of(K, bit)) for bit in range(bits_of(K)))


def corner_error(
    channel: Channel, queries: int, least: arb, most: arb, parts: Parts | None = None, either: bool = False
) -> arb:
    """E, and how far the sum of charges is at most from weights and rests as they are reckoned, whatever is asked."""
    metric, n, parts = channel.metric, channel.scored, parts or digits_of(channel)
    heaviest = largest_charge(channel, least, most, parts)
    # Counted addition by addition, the error of one score is larger for fewer rows. Where their number is not known, it is
    # to hold for every number: as a share of the loss, which more additions only make larger.
    scorer = channel.errors(queries).sum_error(heaviest, heaviest=None if channel.uncertain else heaviest)
    apart = arb(0)
    for part in parts:
        apart = apart.max(metric.corner_rest(least, *part) - metric.corner_rest(most, *part))
    own = ball(FLOAT_UNIT) * (n * most + most)  # a sum of weights, error included, over the gap
    return unread(channel, scorer + n * apart / 2 + metric.corner_missed(channel, most, either) + own)


def unread(channel: Channel, error: arb) -> arb:
    """With what is cut off of an exact score: rests that are as far off as they can be leave no room for it."""
    return error * (1 + arb(2) ** -READ_BITS) if channel.exact_scores else error


def known_error(channel: Channel, queries: int, most: arb) -> arb:
    """E, and how far charges of rows that are known to be scored, or to be of one class if they are, miss what is wanted.

    Such rows are reckoned one by one, as they were submitted, with weights of up to `most` either way: no rest deviates.
    """
    metric, heaviest = channel.metric, most + ball(channel.classes).log()
    scorer = channel.errors(queries).sum_error(heaviest, heaviest=heaviest)
    own = ball(FLOAT_UNIT) * (OWN_UNITS * channel.scored + 1) * heaviest
    return unread(channel, scorer + metric.corner_missed(channel, most, either=True) + own)


def known_fits(channel: Channel, queries: int, most: arb) -> tuple[Inequality, ...]:
    """No score of such rows overflows its format, nor one of corner rows: either charges ln K beside the weight at most."""
    return score_fits(channel, queries, lambda: most + ball(channel.classes).log())


def rests(channel: Channel, least: arb, most: arb, part: tuple[int, int]) -> arb:
    """What all scored rows are charged beside their weights, midway between the least and the most that it can be."""
    metric = channel.metric
    return channel.scored * (metric.corner_rest(least, *part) + metric.corner_rest(most, *part)) / 2


def largest_charge(channel: Channel, least: arb, most: arb, parts: Parts) -> arb:
    """No row charges more, so neither does any score."""
    rest = arb(0)
    for part in parts:
        rest = rest.max(channel.metric.corner_rest(least, *part))
    return most + rest


def reach(channel: Channel, parts: Parts) -> arb:
    """The largest weight that every one of these questions can be asked with."""
    return channel.metric.corner_reach(channel, max(max(part) for part in parts))


def bits_read(channel: Channel, gap: Fraction, error: Callable[[], arb]) -> int:
    """Bits after the point that a decoder reads of a score: so many that what is cut off is a small part of a gap.

    An exact score is known to as many digits as one asks for: what is cut off must be a part of the error that its
    certificate counts for that (`unread`).
    """
    finest = error().min(ball(gap)) * arb(2) ** -READ_BITS if channel.exact_scores else ball(gap)
    return max(0, ceil_of(lambda: (channel.scored / finest).log() / arb(2).log()))


def within_reach(channel: Channel, most: arb, parts: Parts | None = None) -> Inequality:
    """The scorer takes the heaviest row as it is."""
    asked = parts or digits_of(channel)
    return compare("W >= largest weight", lambda: reach(channel, asked), ">=", lambda: most)


def corner_fits(
    channel: Channel, queries: int, least: arb, most: arb, parts: Parts | None = None
) -> tuple[Inequality, ...]:
    """No score overflows its format."""
    return score_fits(channel, queries, lambda: largest_charge(channel, least, most, parts or digits_of(channel)))

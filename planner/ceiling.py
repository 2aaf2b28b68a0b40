"""The ceiling: how many labels any attack gets right within a budget, on average at most, and how many it can promise.

M scores carry at most I bits of the labels. Let D be the share of labels that come out wrong on average. Given what comes
out, a label is unknown by at most h(D) + D log2(K-1) bits on average (Fano, and h is concave), so that
    I >= log2 B - N (h(D) + D log2(K-1)),
B the number of labelings, all as likely: K^N, or those that a guess has just s labels wrong of. The left side of
h(D) + D log2(K-1) >= (log2 B - I)/N rises up to D = 1 - 1/K: from below that, D is bounded, with no word of confidence.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, log1p, nextafter
from math import log2 as log2_float

from flint import arb

from dsl.alike import ByFields
from planner.channel.channel import Channel
from planner.limits import LIMITS, excluding_of, limit_of
from planner.limits.common import Carried
from planner.model import Limit
from planner.numerics.reals import ball, log2, proved, working
from planner.numerics.search import first_between

STEPS = 100  # of a bisection in floats: more than a float64 has bits
WIDER = 1e-13  # by which the share of errors found in floats is made smaller until it is proved
TRIES = 40
MOST_DIGITS = 12  # after the point of a percentage


@dataclass(frozen=True, eq=False, repr=False)
class Ceiling(ByFields):
    """No attack gets more labels right on average, and none can promise more with the scenario's confidence."""

    fraction: float
    labels: int
    by: str | None  # the limit that says so; None: nothing is excluded
    promised: int  # labels
    parameters: tuple[tuple[str, object], ...] = ()  # exact inputs of the proof, beside the channel
    beyond: Limit | None = None  # excludes that one label more is promised


def ceiling_of(channel: Channel) -> Ceiling:
    """The lowest ceiling over the limits that apply."""
    channel = replace(channel, membership=False)  # it speaks of labels
    most, beyond = promised(channel)
    if channel.budget == 0:
        return Ceiling(float(guessed(channel)), ceil(guessed(channel) * channel.scored), None, most, (), beyond)
    fraction, by, parameters = _on_average(channel)
    return Ceiling(fraction, _labels(fraction, channel), by, most, parameters, beyond)


def labels_on_average(channel: Channel) -> int:
    """The ceiling in labels alone, for whoever asks about many channels: what can be promised takes longest."""
    if channel.budget == 0:
        return ceil(guessed(channel) * channel.scored)
    return _labels(_on_average(replace(channel, membership=False))[0], channel)


def _labels(fraction: float, channel: Channel) -> int:
    return ceil(Fraction(fraction) * channel.scored)


def _on_average(channel: Channel) -> tuple[float, str | None, tuple[tuple[str, object], ...]]:
    """The lowest share over the limits that apply, which of them says so, and the inputs of its proof."""
    with working(channel.working_bits):
        best = min((_under(*one) for one in _bounds(channel)), key=lambda one: one[0], default=None)
    return best if best and best[0] < 1 else (1.0, None, ())


def guessed(channel: Channel) -> Fraction:
    """The share of labels that somebody gets right on average who sees no score, of the labels that averages speak of."""
    right = 1 - Fraction(average(channel).radius, channel.rows) if channel.secret.informed else Fraction(0)
    return max(right, Fraction(1, channel.classes))


def average(channel: Channel) -> Channel:
    """The channel with the labels that an average is taken over: all of them, or those that the guess has just s wrong of."""
    most = channel.scored * (channel.classes - 1) // channel.classes
    if not channel.secret.informed:
        return channel
    return replace(channel, radius=channel.radius if channel.exactly else min(channel.radius, most), exactly=True)


def _bounds(channel: Channel) -> list[tuple[Channel, str, Carried]]:
    """What the budget's scores carry at most, by each proof that has a word for it."""
    queries, drawn = channel.budget, average(channel)
    if channel.unknown or not drawn.radius:  # what is known already has no ceiling
        return []
    speak = (
        one for one in LIMITS if one.serves(drawn) and one.speaks_of(drawn) and (one.endless or queries is not None)
    )
    found = ((one.id, one.carried(drawn, queries or 0)) for one in speak)
    return [(drawn, id, one) for id, one in found if one is not None and one.bits().is_finite()]


def share_under(channel: Channel, bits: Fraction) -> float:
    """The share of labels right on average at most, where scores have told so many bits of them."""
    with working(channel.working_bits):
        return max(float(guessed(channel)), _under(average(channel), "", Carried(lambda: ball(bits)))[0])


def _under(channel: Channel, by: str, carried: Carried) -> tuple[float, str, tuple[tuple[str, object], ...]]:
    """The share of labels right on average that so many bits allow: found in floats, then proved."""

    def left() -> arb:
        return (channel.secret.bits() - carried.bits()) / channel.secret.scored

    share = _least_errors(float(left()), channel.classes)
    for _ in range(TRIES):
        fraction = nextafter(1 - share, 2)
        wrong = 1 - Fraction(fraction)
        if wrong <= 0:
            break
        if proved(lambda wrong=wrong: doubt(wrong, channel.classes), "<=", left):  # type: ignore[misc]
            return fraction, by, carried.parameters
        share *= 1 - WIDER
        share -= 2.0**-53
    return 1.0, by, carried.parameters


def doubt(wrong: Fraction, classes: int) -> arb:
    """h(D) + D log2(K-1): what is not known of a label, at most, that is wrong this often."""
    D = ball(wrong)
    return -(D * log2(D)) - (1 - D) * log2(1 - D) + D * log2(ball(classes - 1))


def _least_errors(left: float, classes: int) -> float:
    """The D at which so many bits of a label are not known, by bisection below 1 - 1/K."""
    low, high = 0.0, 1 - 1 / classes
    for _ in range(STEPS):
        middle = (low + high) / 2
        if 0 < middle < 1:
            held = -middle * log2_float(middle) - (1 - middle) * log1p(-middle) / log1p(1)
            low, high = (middle, high) if held + middle * log2_float(classes - 1) < left else (low, middle)
    return low


def promised(channel: Channel) -> tuple[int, Limit | None]:
    """The most labels whose recovery no limit excludes at the scenario's confidence, and what excludes one more.

    It is never below what guessing gives: to be right on so many is no news.
    """
    most = channel.radius if channel.secret.informed else channel.scored
    bounded = channel.budget is not None or channel.response is not None
    excluding = excluding_of(_missing(channel, 0), LIMITS) if most and bounded else ()
    if not excluding:
        return channel.scored, None

    def allowed(wrong: int) -> bool:
        return not excluding_of(_missing(channel, wrong), excluding)

    found = max(channel.scored - first_between(allowed, 0, most), int(guessed(channel) * channel.scored))
    more = _missing(channel, channel.scored - found - 1)
    beyond = (limit_of(one, more) for one in excluding)
    return found, next((one for one in beyond if one.excludes(channel.budget)), None)


def _missing(channel: Channel, wrong: int) -> Channel:
    """The channel of somebody who may get so many labels wrong; how many rows are scored plays no part in that."""
    return replace(channel, wanted=channel.rows - wrong, looser=0)


def percent(share: float | Fraction) -> str:
    """A share of a whole; only all of it is 100%, and only none of it is 0%."""
    if share in (0, 1):
        return f"{100 * int(share)}%"
    held = float(share) * 100
    if held < 0.1:
        return "<0.1%"
    return ">99.9%" if held > 99.9 else f"{held:.1f}%"


def percent_above(share: float | Fraction) -> str:
    """A share that nothing exceeds, rounded up: to a tenth of a per cent, or to where what is left has two digits."""
    held, digits = Fraction(share), 1
    while held < 1 and (1 - held) * 10 ** (digits + 1) < 1 and digits < MOST_DIGITS:
        digits += 1
    parts = -(-held * 100 * 10**digits // 1)
    return "100%" if held >= 1 else f"{parts // 10**digits}.{parts % 10**digits:0{digits}}%"

"""I1, counting: M scores of A possible values each tell at most A^M labelings apart, adaptively or not."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, Ieee, Multiplicative, Significant, Truncated
from planner.channel.channel import SIGNIFICAND, SMALLEST_NORMAL, Channel, unit_roundoff
from planner.limits.common import LimitTheorem, labels_bits, log2, rounding_slack
from planner.model import Limit
from planner.numerics.reals import ball, ceil_of

LARGEST_WRITTEN = 10**40  # a number of answers that is written out in full


class Counting(LimitTheorem):
    """The pigeonhole bound."""

    id = "I1"
    title = "Counting"
    cite = "I1"
    statement = (
        "For each submission the score lies in an interval of length W. Rounding leaves at most A values in it, b-bit "
        "scores at most 2^b, and a noise adversary who snaps the score to a grid of step 2 tau leaves ceil(W/(2 tau)). So "
        "M adaptive queries tell at most A^M labelings apart: recovery with probability 1-δ needs "
        "M log2 A >= N log2 K - log2 V + log2(1-δ), V the number of labelings that count as right. Noise does not help: an "
        "adversary may add none, and random noise, were it told to the attacker, would only shift the interval."
    )
    conditions = ("a finite number of answers",)

    def apply(self, channel: Channel) -> Limit:
        """The bound for the fewest answers that can be argued for."""
        found = fewest_answers(channel)
        if found is None:
            return self.silent("a score can take any number of values")
        answers, why = found

        def need() -> arb:
            return labels_bits(channel) + log2(1 - ball(channel.delta)) if channel.delta < 1 else arb(0)

        if answers <= 1 and need() > 0:
            return self.excludes_all(f"every score is the same: {why}", answers=answers)
        if answers <= 1:
            return self.silent("nothing has to be learned")
        text = f"{_text(answers)} answers a query: {why}"
        return self.at_least(need, lambda: log2(ball(answers)), "log2 A bits", text, answers=answers)


def _text(answers: int) -> str:
    return f"A = {answers}" if answers < LARGEST_WRITTEN else f"A < 2^{answers.bit_length()}"


def fewest_answers(channel: Channel) -> tuple[int, str] | None:
    """The smallest provable number of different answers to one submission, and why."""
    found = [one for one in (_format(channel), _rounded(channel), _noised(channel)) if one is not None]
    return min(found) if found else None


def _format(channel: Channel) -> tuple[int, str] | None:
    score = channel.score_precision
    if isinstance(score, Ieee):
        return 2**score.bits, f"{score.bits}-bit scores"
    if isinstance(score, FixedPoint):
        fraction = score.fraction_bits
        bits = score.integer_bits + fraction + 1
        reach = channel.reach_limit()
        if reach is None:
            return 2**bits, f"{bits}-bit scores"
        answers = ceil_of(lambda: _finite_reach(channel) * 2**fraction) + 1
        return min(2**bits, answers), "the fixed-point grid over an interval of length W"
    return None


def _finite_reach(channel: Channel) -> arb:
    """W, at the working precision of the moment."""
    reach = channel.reach_limit()
    assert reach is not None
    return reach


def _rounded(channel: Channel) -> tuple[int, str] | None:
    reach, shown = channel.reach_limit(), channel.shown
    if reach is None or shown is None:
        return None
    spread = reach + 2 * rounding_slack(channel)
    if not spread.is_finite():
        return None
    if isinstance(shown, Decimals | Truncated):
        answers = ceil_of(lambda: spread * 10**shown.digits) + 1
        decimals = "1 decimal" if shown.digits == 1 else f"{shown.digits} decimals"
        return answers, f"{decimals} over an interval of length W"
    return _significant(channel, shown, spread)


def _significant(channel: Channel, shown: Significant, spread: arb) -> tuple[int, str] | None:
    """At most 9*10^(n-1) values a decade between the smallest loss, about the clip, and the largest.

    Random noise can bring a score as near to 0 as it likes, where it has digits of its own.
    """
    if channel.random or least_loss(channel) is None:
        return None
    decades = ceil_of(lambda: ((spread + 1) / _least(channel) * 4).log() / arb(10).log()) + 2
    return 9 * 10 ** (shown.digits - 1) * decades + 1, f"{shown.digits} significant digits"


def _noised(channel: Channel) -> tuple[int, str] | None:
    reach, noise = channel.reach_limit(), channel.noise
    if reach is None:
        return None
    slack = 2 * rounding_slack(channel)
    if not slack.is_finite():
        return None
    if isinstance(noise, Bounded) and noise.tau.lo > 0:
        tau = noise.tau.lo
        return max(1, ceil_of(lambda: (reach + slack) / (2 * ball(tau)))), "a noise adversary who snaps to a grid of 2τ"
    if isinstance(noise, Multiplicative) and noise.alpha.lo > 0 and least_loss(channel) is not None:
        return _snapped_geometrically(channel, reach, noise)
    return None


def _snapped_geometrically(channel: Channel, reach: arb, noise: Multiplicative) -> tuple[int, str]:
    """Scores between the smallest and the largest loss, snapped to a geometric grid of ratio (1+α)/(1-α)."""

    def cells() -> arb:
        alpha = ball(noise.alpha.lo)
        # A renormalised row of K entries can charge up to ln K more than its spread.
        largest = reach + 2 + (ball(channel.K).log() if channel.renormalises else 0)
        return (largest / _least(channel) * 2).log() / ((1 + alpha) / (1 - alpha)).log()

    return ceil_of(cells) + 2, "a noise adversary who snaps to a geometric grid"


def _least(channel: Channel) -> arb:
    least = least_loss(channel)
    assert least is not None
    return least


def least_loss(channel: Channel) -> arb | None:
    """A lower bound on a score that is not 0; None: there is none. -ln(1-p) >= p, so a row whose prediction stays
    below 1 - clip charges at least the clip.

    Where predictions of 1 are left alone, because only what is charged is clipped or because 1 - clip is rounded to 1,
    a row may be charged nothing, and the least that is left is one row's least step.
    """
    if channel.clip is None:
        return None
    smallest = ball(channel.clip)
    match channel.precision:
        case Ieee() as precision:
            if channel.clip_of == "prediction" and channel.largest_prediction(precision) < 1:
                return smallest
            return smallest.min(ball(_least_step(channel, precision) / (2 * channel.N)))
        case FixedPoint(fraction_bits=f):
            return smallest if channel.clip_of == "prediction" else ball(Fraction(1, 2 ** (f + 1) * channel.N))
        case Arbitrary():
            return smallest if channel.clip_of == "prediction" else None


def _least_step(channel: Channel, precision: Ieee) -> Fraction:
    """The least charge above 0 of a row: that of the float below 1, or of log1p of the least float that there is."""
    if channel.clip_of == "logarithm":
        return Fraction(1, 2 ** (SMALLEST_NORMAL[precision.bits] + SIGNIFICAND[precision.bits]))
    return unit_roundoff(precision)

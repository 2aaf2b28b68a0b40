"""I3, entropy: a score of many independent labels concentrates, so a non-adaptive query tells less than counting allows."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

from flint import arb

from planner.channel.channel import Channel
from planner.limits.common import Carried, LimitTheorem, fano_bits, on_lattice, rounding_slack
from planner.limits.relative import Relative, best_rate, relative_bits, relative_of
from planner.model import Limit
from planner.numerics.reals import ball, log2


class Entropy(LimitTheorem):
    """The largest entropy of an integer variable of given variance."""

    id = "I3"
    title = "Entropy of non-adaptive scores"
    cite = "I3"
    statement = (
        "For labels drawn at random a non-adaptive score has standard deviation at most W/(2 sqrt N). Snapped to a grid of "
        "step q (the last decimal, or 2 tau) its entropy is at most 1/2 log2(2 pi e ((W/(2 q sqrt N) + 1/2)^2 + 1/12)), "
        "and M of them must carry (1-δ)(N log2 K - log2 V) - h(δ) bits. With a guess that has s = pN labels wrong, p <= 1/2, "
        "the deviation is at most W sqrt(p(1-p)/(N-1)), and log2 of the labelings at that distance stands for N log2 K. "
        "Of accuracy, where rows must name a class, the first score has a variance of N/4 rows and every later one, that "
        "known, of N/16 at most. Scores of log-loss shown by n significant digits, or as floats, are on cells of at least "
        "10^-n of themselves; a score's variance is at most rho times the square of its mean, rho about 6.5/N for two "
        "classes and a clip of 10^-15, and it carries at most log2(1 + theta(l t^2 10^-2n) + A exp(-l (1-t)^2)) + "
        "l rho log2 e bits, for every l > 0 and 0 < t < 1."
    )
    conditions = ("adaptive = no", "scores rounded, or noise bounded by tau, or charges never small", "W is finite")

    def apply(self, channel: Channel) -> Limit:
        """For the coarsest grid that the channel forces."""
        if channel.adaptive:
            return self.silent("queries may depend on earlier scores: counting still holds")
        step = _grid(channel)
        if channel.delta >= Fraction(1, 2):
            return self.silent("more than half of all attempts may fail")
        if channel.confined and step is not None:
            return self._on_grid(channel, step)
        relative = relative_of(channel)  # of what is not confined the variance is infinite
        if relative is None:
            return self.silent("scores are not bound to a grid over a finite interval")
        return self._digits(channel, relative)

    def _on_grid(self, channel: Channel, step: Fraction) -> Limit:
        """For a grid of one step."""
        why, each = "a sum of many labels concentrates", partial(later_bits, channel, step)

        def need() -> arb:
            first, later = score_bits(channel, step), later_bits(channel, step)
            return fano_bits(channel) - (first - later)

        return self.at_least(need, each, "bits a score", why, step=step)

    def _digits(self, channel: Channel, score: Relative) -> Limit:
        """For digits that are as fine as the score is small."""
        rate, part = best_rate(score)

        def each() -> arb:
            return relative_bits(score, rate, part)

        why = "a sum of many charges, none of them small, concentrates relative to its size"
        return self.at_least(lambda: fano_bits(channel), each, "bits a score", why, rate=rate, part=part)

    def carried(self, channel: Channel, queries: int) -> Carried | None:
        """As many entropies as there are scores."""
        step = _grid(channel)
        if channel.adaptive or not channel.confined or not queries:
            return None
        if step is None:
            relative = relative_of(channel)
            return None if relative is None else _carried(relative, queries)

        def bits() -> arb:
            return (queries - 1) * later_bits(channel, step) + score_bits(channel, step)

        return Carried(bits, (("step", step),))


def _carried(score: Relative, queries: int) -> Carried:
    rate, part = best_rate(score)
    return Carried(lambda: queries * relative_bits(score, rate, part), (("rate", rate), ("part", part)))


def score_bits(channel: Channel, step: Fraction) -> arb:
    """The entropy of one score on a grid of this step, at most; whole numbers are on theirs without being moved."""
    spread = deviation(channel) / ball(step)
    if not on_lattice(channel, step):
        spread += rounding_slack(channel) / ball(step) + ball(Fraction(1, 2))
    return _entropy(spread**2)


def later_bits(channel: Channel, step: Fraction) -> arb:
    """The same of a score after the first, whose number of right rows is known by then.

    Rows that must name one of two classes are right or wrong. Take the labels as whether the first submission is right about
    them: its score is their sum, n1, and another's tells a, how many of the s rows that it predicts otherwise are 1. Given n1
    that is hypergeometric, of a variance that is s(N-s)/(4N) <= N/16 on average, and the largest entropy is concave in it.
    """
    two = channel.classes == 2 and not channel.abstain
    if on_lattice(channel, step) and channel.metric.counts and two and not channel.secret.informed:
        return _entropy(ball(Fraction(channel.scored, 16)))
    return score_bits(channel, step)


def _entropy(variance: arb) -> arb:
    """The largest of an integer of this variance."""
    return log2(2 * arb.pi() * arb(1).exp() * (variance + ball(Fraction(1, 12)))) / 2


def deviation(channel: Channel) -> arb:
    """The largest standard deviation of a score whose submission does not depend on the labels."""
    if not channel.secret.informed:
        return channel.breadth() / (2 * ball(channel.secret.scored).sqrt())
    return channel.breadth() * ball(channel.secret.variance()).sqrt()


def _grid(channel: Channel) -> Fraction | None:
    """The coarsest step. Whatever the noise: an adversary may add none, and random noise told would only shift the grid."""
    found = (channel.law.grid(), channel.digits.unit, channel.metric.lattice(channel))
    steps = [step for step in found if step is not None]
    if channel.scores.fixed:
        steps.append(Fraction(1, 2**channel.scores.fraction_bits))
    return max(steps) if steps else None

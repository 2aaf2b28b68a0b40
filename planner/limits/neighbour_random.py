"""I5, neighbours under random noise: too few noisy scores cannot settle even one label."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from planner.channel.channel import Channel
from planner.limits.common import LimitTheorem, rounding_slack
from planner.model import Limit
from planner.numerics.reals import ball, compare, proved
from planner.numerics.search import first_above

MOST_QUERIES = 2**200


class NeighbourRandom(LimitTheorem):
    """Testing one label against its opposite."""

    id = "I5"
    title = "Neighbours under random noise"
    cite = "I5"
    statement = (
        "One label moves a score by at most W/N. After M scores with independent Gaussian noise of deviation s a label is "
        "wrong with probability at least Q(sqrt(M) W/(2 N s)), adaptively too, since a smaller difference can be simulated "
        "from a larger one. With uniform noise of width 2 tau the scores say nothing with probability (1 - W/(2 N tau))^M; "
        "with Laplace noise Bretagnolle and Huber's inequality gives 1/2 (1 - sqrt(1 - exp(-M D))), D the divergence of "
        "two shifted laws. Recovery is impossible while that exceeds rho + δ - rho δ, rho the share that may be wrong: of "
        "all labels, or of s whose guess is as likely wrong as right. Where just s are wrong, s pairs of which one is."
    )
    conditions = ("random noise", "W is finite and no score is infinite")

    def apply(self, channel: Channel) -> Limit:
        """The least M at which the label error is small enough, by doubling and bisection."""
        if not channel.random:
            return self.silent("the noise is not random")
        if not channel.confined:
            return self.silent("a row can outweigh any noise, or show as an infinite score")
        if not channel.secret.doubts:
            return self.silent("no label is in doubt")
        allowed = _allowed(channel)

        def excluded(queries: int) -> bool:
            return proved(lambda: label_error(channel, queries), ">", allowed)

        enough = first_above(lambda queries: not excluded(queries), 0, MOST_QUERIES)
        if enough is None:
            return self.silent("more queries than anyone can ask")
        low = enough - 1
        if low == 0:
            return self.silent("one score can settle a label")
        record = compare(
            f"label error after {low} queries > tolerated", lambda: label_error(channel, low), ">", allowed
        )
        why = "too few scores to settle one label"
        return Limit(self.id, self.title, enough, False, why, (record,), self.cite, (("too_few", low),))


def _allowed(channel: Channel) -> Callable[[], arb]:
    def allowed() -> arb:
        secret = channel.secret
        # An answer may name neither state of a pair, at the price of one label: half a pair, and not none.
        rho = ball(Fraction(secret.wrong, secret.swapped * secret.doubts))
        delta = ball(channel.delta)
        return rho + delta - rho * delta

    return allowed


def label_error(channel: Channel, queries: int) -> arb:
    """A lower bound on the probability that a given doubt is settled wrongly."""
    shift = channel.secret.swapped * channel.span() / channel.secret.scored
    return channel.law.label_error(shift + 2 * rounding_slack(channel), queries)

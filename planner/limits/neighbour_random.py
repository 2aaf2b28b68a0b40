"""I5, neighbours under random noise: too few noisy scores cannot settle one label, or all of them at once.

Whoever gets all labels right has for each labeling y a set R(y) of transcripts that it answers with y, and these sets are
disjoint. A labeling one label away makes a transcript of R(y) nearly as likely as y does: a test that accepts y with
probability 1 - δ accepts its neighbour with some probability b at least. So under each labeling its N (K-1) neighbours are
answered with probability N (K-1) b in all, and that is a failure.

Queries that are listed beforehand do no better under Gaussian noise than if every label had scores of its own, at full
weight: all labels are right with probability (1 - Q(x))^N at most, x = sqrt(M) W/(2 N s). docs/theory/limits.md proves both.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from planner.channel.channel import Channel
from planner.channel.mechanisms.gaussian import quantile_below
from planner.limits.common import LimitTheorem, rounding_slack
from planner.model import Limit
from planner.numerics.reals import ball, compare, proved, upper
from planner.numerics.search import first_above
from planner.numerics.tails import gaussian_upper

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
        "all labels, or of s whose guess is as likely wrong as right. Where just s are wrong, s pairs of which one is. All "
        "labels at once: a labeling is mistaken for each of its N (K-1) neighbours with probability b, and these mistakes "
        "exclude each other, so N (K-1) b <= δ; b = Q(sqrt(M) W/(N s) - z) with Q(z) = δ under Gaussian noise, under Laplace "
        "noise by the central limit theorem with Berry and Esseen's error. Queries listed beforehand, Gaussian noise: all "
        "labels are right with probability (1 - Q(sqrt(M p) W/(2 N s)))^N at most, p = 2 floor(K^2/4)/(K(K-1))."
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
        best = self._one(channel)
        for form in (self._every, self._listed):
            best = form(channel, best.queries or 1) or best
        return best

    def _one(self, channel: Channel) -> Limit:
        """One label after the other."""
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

    def _every(self, channel: Channel, start: int) -> Limit | None:
        """All neighbours at once, where that asks for more than `start` queries; fewer are excluded with so many."""
        count = neighbours(channel)
        if not count or not 0 < channel.delta < Fraction(1, 2):
            return None

        def excluded(queries: int) -> bool:
            return proved(lambda: count * mistaken(channel, queries, point_of(channel, queries)), ">", allowed)

        def allowed() -> arb:
            return ball(channel.delta)

        enough = first_above(lambda queries: not excluded(queries), start, MOST_QUERIES) if excluded(start) else None
        if enough is None:
            return None
        low = enough - 1
        point = point_of(channel, low)
        record = compare(
            f"{count} neighbours, each answered in error after {low} queries > δ",
            lambda: count * mistaken(channel, low, point),
            ">",
            allowed,
        )
        given = (("too_few", low), ("neighbours", count), ("point", point))
        why = "too few scores to settle all labels at once"
        return Limit(self.id, self.title, enough, False, why, (record,), self.cite, given)

    def _listed(self, channel: Channel, start: int) -> Limit | None:
        """All labels by queries that depend on no score, where that asks for more than `start` of them."""
        sigma, count = channel.law.normal_deviation(), channel.secret.scored
        if channel.adaptive or sigma is None or not neighbours(channel) or not 0 < channel.delta < Fraction(1, 2):
            return None

        def excluded(queries: int) -> bool:
            point = listed_point(channel, sigma, queries)
            return proved(lambda: all_right(channel, sigma, queries, point), "<", lambda: enough_right(point))

        enough = first_above(lambda queries: not excluded(queries), start, MOST_QUERIES) if excluded(start) else None
        if enough is None:
            return None
        low = enough - 1
        point = listed_point(channel, sigma, low)
        record = compare(
            f"{count} labels all right after {low} queries < 1 - δ",
            lambda: all_right(channel, sigma, low, point),
            "<",
            lambda: enough_right(point),
        )
        given = (("too_few", low), ("labels", count), ("point", point))
        why = "no list of so few queries settles all labels"
        return Limit(self.id, self.title, enough, False, why, (record,), self.cite, given)


def _allowed(channel: Channel) -> Callable[[], arb]:
    def allowed() -> arb:
        secret = channel.secret
        # An answer may name neither state of a pair, at the price of one label: half a pair, and not none.
        rho = ball(Fraction(secret.wrong, secret.swapped * secret.doubts))
        delta = ball(channel.delta)
        return rho + delta - rho * delta

    return allowed


def neighbours(channel: Channel) -> int:
    """Labelings one label away from any; 0: some of them may be impossible, or an answer may be right for two."""
    secret = channel.secret
    return 0 if secret.informed or secret.wrong else secret.scored * (channel.classes - 1)


def mistaken(channel: Channel, queries: int, point: Fraction) -> arb:
    """How often the right answer for a labeling is given under a neighbour, at least, if it is given with 1 - δ."""
    return channel.law.mistaken(_apart(channel), queries, channel.delta, point)


def point_of(channel: Channel, queries: int) -> Fraction:
    """About the best point of that bound, on a grid: every point is a proof."""
    return channel.law.mistaken_at(_apart(channel), queries, float(channel.delta))


def _apart(channel: Channel) -> arb:
    """How far the scores of two answers to a question lie apart at most, as they are computed."""
    return channel.secret.swapped * channel.span() / channel.secret.scored + 2 * rounding_slack(channel)


def all_right(channel: Channel, sigma: arb, queries: int, point: Fraction) -> arb:
    """(1 - Q(x))^N: how often all labels are right at most by listed queries, were scores exact sums of charges.

    Computed scores are off by up to s: whoever is right with probability Q(-z - sqrt(M) s/sigma) on them is right with Q(-z)
    on exact ones. So 1 - δ on computed scores needs Q(-z) there, if Q(z + sqrt(M) s/sigma) >= δ; 1: it is not.
    """
    moved = ball(queries).sqrt() * rounding_slack(channel) / sigma
    if not gaussian_upper(ball(point) + moved) >= ball(channel.delta):
        return arb(1)
    K, count = channel.classes, channel.secret.scored
    apart = (
        channel.span() / count * ball(Fraction(2 * (K * K // 4), K * (K - 1))).sqrt()
    )  # of two classes, root mean square
    return (count * (1 - gaussian_upper(ball(queries).sqrt() * apart / (2 * sigma))).log()).exp()


def enough_right(point: Fraction) -> arb:
    """1 - Q(z)."""
    return 1 - gaussian_upper(ball(point))


def listed_point(channel: Channel, sigma: arb, queries: int) -> Fraction:
    """About the largest point that serves."""
    moved = ball(queries).sqrt() * rounding_slack(channel) / sigma
    return quantile_below(float(channel.delta)) - upper(moved) - Fraction(1, 2**20)


def label_error(channel: Channel, queries: int) -> arb:
    """A lower bound on the probability that a given doubt is settled wrongly."""
    return channel.law.label_error(_apart(channel), queries)

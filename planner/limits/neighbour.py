"""I2, neighbours: adversarial noise that hides one label hides it from every number of queries."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from dsl.scenario import Bounded
from planner.channel.channel import Channel
from planner.limits.common import LimitTheorem, rounding_slack
from planner.model import Limit
from planner.numerics.reals import ball, compare


class Neighbour(LimitTheorem):
    """The midpoint answer fits both of two labelings that differ too little."""

    id = "I2"
    title = "Neighbours under adversarial noise"
    cite = "I2"
    statement = (
        "Two labelings that differ in D labels have scores at most D W / N apart. If 2 N tau >= D W, the midpoint of the "
        "two scores is a legal answer to every query under either, so nothing tells them apart. With D = 1 exact recovery "
        "is impossible for any number of queries; allowing r wrong labels, with D = 2r + 1 (2r + 2 where the ones are "
        "counted). With a guess both must be within reach of it: D <= 2s. Metrics of predicted classes that add nothing up "
        "have pairs of labelings of their own: all labels 1, and all but one, are never more than 2/(N+1) apart in F1, 1/N "
        "in recall and the Jaccard index. Roots of mean squares of any two neighbours are at most 1/sqrt N apart."
    )
    needs = None
    conditions = ("noise = bounded(tau)", "W is finite and no score is infinite", "δ < 1/2")

    def apply(self, channel: Channel) -> Limit:
        """Sharp: below it the block attack works."""
        if not isinstance(channel.noise, Bounded):
            return self.silent("the noise is not adversarial within an additive bound")
        if not channel.metric.adds:
            return self._pair(channel, channel.law.value.tau.lo)
        if not channel.confined:
            return self.silent("a row can outweigh any noise, or show as an infinite score")
        if channel.delta >= Fraction(1, 2):
            return self.silent("a guess between two labelings is right often enough")
        distance = channel.secret.distance()
        if distance is None:
            return self.silent("so many labels may be wrong that no two labelings must be told apart")
        tau, rows = channel.law.value.tau.lo, channel.secret.scored

        def spread() -> arb:
            return distance * channel.span() + 2 * rows * rounding_slack(channel)

        test = compare("2 N τ >= D W", lambda: 2 * rows * ball(tau), ">=", spread)
        if test.holds:
            why = "the midpoint of two neighbours' scores is a legal answer to every query"
            return self.excludes_all(why, test, distance=distance)
        return Limit(
            self.id,
            self.title,
            None,
            False,
            "2 N τ is below W: neighbours can be told apart",
            (test,),
            self.cite,
            (("distance", distance),),
        )

    def _pair(self, channel: Channel, tau: Fraction) -> Limit:
        """Two labelings that the metric itself names; nothing may be known of the labels, and none may be wrong."""
        apart = channel.metric.pair(channel.scored)
        unsure = channel.uncertain or channel.secret.informed or channel.wrong_allowed
        unsure = unsure or not rounding_slack(channel).is_finite()
        if apart is None or unsure or channel.delta >= Fraction(1, 2):
            return self.silent("no two labelings are known that must be told apart and are scored nearly alike")

        def spread() -> arb:
            return ball(apart) + 2 * rounding_slack(channel)

        test = compare("2 τ >= difference of two scores", lambda: 2 * ball(tau), ">=", spread)
        if test.holds:
            return self.excludes_all("the midpoint of two labelings' scores is a legal answer to every query", test)
        why = "2 τ is below what two labelings differ by"
        return Limit(self.id, self.title, None, False, why, (test,), self.cite)

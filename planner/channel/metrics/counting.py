"""Metrics that count: rows are predicted 0 or 1, and a score is a function of three numbers.

Let S be the rows predicted 1, s how many they are, n1 the labels that are 1 and a those of S that are. Whatever a metric
makes of its table of right and wrong predictions is a function f(a, s, n1), and a rises with f once n1 is known: a score
tells a count of labels, if neighbouring counts are farther apart than twice its error. `step` is how far they are apart at
least, `ones_step` the same for n1 itself where every row is predicted 1, and `single` parts labels that are asked for one by
one, whatever n1 is. Each bound is derived in docs/theory/metrics.md.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from flint import arb

from dsl.scenario import Arbitrary, Decimals, Ieee
from planner.channel.metrics.weightless import WeightlessMetric
from planner.numerics.reals import ball

if TYPE_CHECKING:
    from planner.channel.channel import Channel

WIDE = (Ieee(64), Arbitrary())
FLOAT_UNITS = 64  # no metric rounds more often on its way from whole numbers to a score, which is at most 1 in size
READ_BITS = 8  # by which an exact score is read more finely than 1/N


class CountingMetric(WeightlessMetric):
    """A score that tells how many labels of the rows predicted 1 are 1."""

    known = True
    counts = True
    predictions = ("class",)
    lowest: ClassVar[int] = 0  # no score is lower, and none above 1
    has_nan: ClassVar[bool] = False  # whether labels that are all alike may be scored nan
    silent: ClassVar[bool] = False  # whether a count of none is scored alike whatever n1 is
    ones_on_lattice: ClassVar[bool] = False  # whether the score of all rows predicted 1 is n1/N

    def unknown(self, channel: Channel) -> tuple[str, ...]:
        """Two classes, scores in float64 or exact; whether a class that does not exist is taken is another matter."""
        known = (
            ("K", channel.classes == 2),
            ("phi", channel.precision in WIDE),
            ("score_phi", channel.score_precision in WIDE),
            ("clip", channel.clip is None),
            ("abstain", not channel.abstain),
        )
        return tuple(field for field, is_known in known if not is_known)

    # -- what a score tells ----------------------------------------------------------------------------

    def score(self, a: int, s: int, n1: int, N: int) -> Fraction:
        """The score of s rows predicted 1, a of whose labels are 1."""
        raise ValueError(f"{self.id} is no count")

    def count(self, score: Fraction, s: int, n1: int, N: int) -> Fraction:
        """a, as a score says it; a whole number where it has no error."""
        raise ValueError(f"{self.id} is no count")

    def ones(self, score: Fraction, N: int) -> Fraction:
        """n1, as the score of all rows predicted 1 says it."""
        raise ValueError(f"{self.id} does not tell how many labels are 1")

    def ones_score(self, n1: int, N: int, seen: Fraction) -> Fraction:
        """The score of all rows predicted 1; of several that a scorer may show, the one that was seen."""
        return self.score(n1, N, n1, N)

    def scores(self, xp: Any, a: Any, s: float, n1: Any, N: float) -> Any:
        """The scores of arrays of counts and numbers of ones, in float64; `xp` is the library of arrays."""
        raise ValueError(f"{self.id} is read by whole numbers alone")

    def step(self, N: int, n1: int | None) -> Fraction:
        """The least difference of scores of neighbouring counts, for 1 <= s < N and every n1, or for this one."""
        return Fraction(0)

    def ones_step(self, N: int) -> Fraction | None:
        """The same for n1, where all rows are predicted 1; None: that says nothing of it."""
        return None

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """With one row predicted 1: the most that label 0 is scored, and the least of label 1, whatever n1 is."""
        return None

    def values(self, channel: Channel) -> int | None:
        """How many different scores one submission may have; n1 and a are all that it depends on."""
        N = channel.scored
        return min(channel.radius, N - channel.radius) + 1 if channel.ones_told else (N + 2) ** 2 // 4

    def scores_within(self, channel: Channel) -> arb | None:
        """From the lowest score to 1, as they are computed."""
        return 1 - self.lowest + 2 * ball(FLOAT_UNITS * channel.scores.unit)

    def undefined(self, channel: Channel) -> bool:
        """Nan, unless somebody says that there are both classes."""
        return self.has_nan and not (channel.ones_told and 0 < channel.radius < channel.scored)

    # -- the error of a score ----------------------------------------------------------------------------

    def error(self, channel: Channel, queries: int, on_lattice: bool = False) -> arb:
        """How far a shown score is from f at most; on the lattice of k/N rounding to decimals may hide nothing."""
        return self._off(channel, queries, FLOAT_UNITS, channel.scored.bit_length(), on_lattice)

    def _off(self, channel: Channel, queries: int, roundings: int, size_bits: int, on_lattice: bool = False) -> arb:
        """The same of a score that so many roundings make, and of which so many bits tell its steps."""
        tau = channel.law.within(channel.delta, queries)
        size = 1 + tau + channel.law.size() + channel.law.factor()
        error = tau + channel.law.factor() + ball(roundings * channel.scores.unit) * size
        if channel.scores.exact:
            error += arb(2) ** -(size_bits + READ_BITS)
        if on_lattice and shown_whole(channel):
            return error
        return error + channel.digits.half_unit() + channel.digits.relative(size)

    # -- as any metric -----------------------------------------------------------------------------------

    def charge_error(self, channel: Channel) -> Fraction | None:
        """Whole numbers are added without error."""
        return Fraction(0)

    def prepared(self, channel: Channel) -> Fraction | None:
        """All roundings of a score."""
        return FLOAT_UNITS * channel.scores.unit

    def moved(self, channel: Channel) -> Fraction | None:
        """The same."""
        return FLOAT_UNITS * channel.scores.unit


def shown_whole(channel: Channel) -> bool:
    """Whether every k/N is a decimal of as many digits as are shown, and nothing is added to it before."""
    quiet = channel.law.quiet and isinstance(channel.shown, Decimals)
    return quiet and 10**channel.digits.digits % channel.scored == 0

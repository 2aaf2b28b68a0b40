"""Metrics of predicted classes, as functions of a table of counts.

N labels of which n1 are 1 and n0 are 0; s rows are predicted 1, and a of their labels are 1. What is needed of a metric: by
how much its score differs at least between a and a + 1, with n1 known; by how much between n1 and n1 + 1 when all rows are
predicted 1; and, with one row predicted 1, how high label 0 and how low label 1 may be scored.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, ClassVar

from threatplan.verify.intervals import ONE, Interval, power_of_two
from threatplan.verify.metrics.mse import wide
from threatplan.verify.metrics.weightless import Weightless

if TYPE_CHECKING:
    from threatplan.verify.channel import Channel

# Counts are whole numbers and a score of them is made in a few operations, on numbers of size up to 1, or a root of them.
ROUNDINGS = 64
READ = 8  # bits beyond those of N to which an exact score is read


class Counting(Weightless):
    """A metric of two predicted classes; no row charges anything by itself."""

    predictions = ("class",)
    lowest: ClassVar[int] = 0
    abstains: ClassVar[bool] = False  # whether a class that does not exist may be taken
    ones_over_rows: ClassVar[bool] = False  # whether all rows predicted 1 are scored n1/N
    control: ClassVar[bool] = False  # whether all rows predicted 1 tell labels that are all alike, by 0, 1/2 or 1
    one_class: ClassVar[bool] = True  # whether labels that are all alike have a score that tells them
    has_nan: ClassVar[bool] = False  # whether they may have none at all

    def knows(self, c: Channel) -> bool:
        """Two classes, scores in doubles or exact."""
        taken = self.abstains or not c.abstain
        return c.K == 2 and wide(c.precision) and wide(c.score_precision) and c.clip is None and taken

    # -- counts --------------------------------------------------------------------------------------------

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """Between neighbouring counts, 1 <= s < N, for any n1 or for this."""
        return Fraction(0)

    def ones_step(self, N: int) -> Fraction:
        """Between neighbouring n1; 0: nothing is told."""
        return Fraction(0)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """The highest score of one row of label 0, and the lowest of label 1; None: they overlap."""
        return None

    def pair(self, N: int) -> Fraction | None:
        """How far apart two labelings are scored at most."""
        return None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """How far apart two labelings with n1 ones are scored at most that differ by a swap: a is one more, or the same."""
        return None

    def values(self, c: Channel) -> int | None:
        """Pairs of a and n1: s + 1 times N - s + 1 at most; with n1 known no more than the smaller class, and none."""
        return min(c.radius, c.N - c.radius) + 1 if c.counted else (c.scored + 2) ** 2 // 4

    def length(self, c: Channel) -> Interval:
        """Of an interval that holds all scores."""
        return 1 - self.lowest + 2 * ROUNDINGS * c.score_unit * ONE

    def error(self, c: Channel, queries: int, over_rows: bool) -> Interval:
        """Of a score as it is shown; k/N that is a decimal of as many digits is shown without any."""
        return self.off(c, queries, over_rows, ROUNDINGS, c.N.bit_length())

    def off(self, c: Channel, queries: int, over_rows: bool, roundings: int, bits: int) -> Interval:
        """The same of a score of so many roundings, whose steps have so many bits."""
        tau, size = c.tau(queries), ONE + c.tau(queries) + abs(c.centre()) + c.alpha
        error = tau + c.alpha + roundings * c.score_unit * size
        if not c.ieee_scores:
            error = error + power_of_two(-bits - READ)
        decimals = c.shown is not None and c.shown.name in ("decimals", "percent") and c.noise.name == "none"
        if over_rows and decimals and c.shown is not None and 10 ** int(c.shown.digits) % c.N == 0:
            return error
        return error + c.half_unit() + c.last_digit(size)

    # -- the error of computing a score ----------------------------------------------------------------------

    def computed(self, c: Channel) -> Fraction:
        """Whole numbers are added exactly."""
        return Fraction(0)

    def prepared(self, c: Channel) -> Fraction:
        """All roundings of a score."""
        return ROUNDINGS * c.score_unit

    def moved(self, c: Channel) -> Fraction:
        """The same."""
        return ROUNDINGS * c.score_unit


class Accuracy(Counting):
    """Right rows over all: N - s - n1 + 2a of them. Each row is worth 0 or 1, by itself."""

    name = "accuracy"
    adds = True
    abstains = True
    ones_over_rows = True

    def knows(self, c: Channel) -> bool:
        """Of any number of classes a row is right or wrong."""
        return wide(c.precision) and wide(c.score_precision) and c.clip is None

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """One more 1 among the rows predicted 1 is one more right, and one less wrong."""
        return Fraction(2, N)

    def ones_step(self, N: int) -> Fraction:
        """n1 rows are right."""
        return Fraction(1, N)

    def values(self, c: Channel) -> int | None:
        """As many rows are right as the guess has, but for those that it has wrong; or none to all."""
        informed = c.exactly or c.radius < c.N
        return (min(c.N, 2 * c.radius) if informed else c.scored) + 1

    def span(self, c: Channel) -> Interval | None:
        """1 - 0."""
        return ONE

    def lattice(self, c: Channel) -> Fraction | None:
        """1/N."""
        return Fraction(1, c.scored)


class Precision(Counting):
    """a/s."""

    name = "precision"
    ones_over_rows = True

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """s is at most N - 1."""
        return Fraction(1, max(1, N - 1))

    def ones_step(self, N: int) -> Fraction:
        """n1/N."""
        return Fraction(1, N)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """The label."""
        return Fraction(0), Fraction(1)

    def pair(self, N: int) -> Fraction | None:
        """Scores lie between 0 and 1."""
        return Fraction(1)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """The label of a single row."""
        return Fraction(1)


class Recall(Counting):
    """a/n1, and 0 without ones."""

    name = "recall"

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """n1 is at most N."""
        return Fraction(1, max(1, N if n1 is None else n1))

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """Nothing, or one of n1."""
        return Fraction(0), Fraction(1, N)

    def pair(self, N: int) -> Fraction | None:
        """All ones, and one less: x/(N-1) - x/N = x/(N(N-1)), x at most N - 1; or x/N - (x-1)/(N-1), no more."""
        return Fraction(1, N)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """One of n1."""
        return 1 / Fraction(n1)


class F1(Counting):
    """2a/(s + n1)."""

    name = "f1"

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """2/(s + n1), s at most N - 1."""
        return Fraction(2, max(2, N - 1 + (N if n1 is None else n1)))

    def ones_step(self, N: int) -> Fraction:
        """2n/(N+n) rises by 2N/((N+n)(N+n+1)), n < N."""
        return Fraction(2 * N, (2 * N - 1) * 2 * N)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """Nothing, or 2/(1 + n1)."""
        return Fraction(0), Fraction(2, 1 + N)

    def pair(self, N: int) -> Fraction | None:
        """All ones, and one less: 2N/((N+s)(N+s-1)) with that row predicted 1, 2s/((N+s)(N+s-1)) without, s < N."""
        return Fraction(2 * N, (N + 1) * N)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """Twice one of n1 and a single row."""
        return 1 / Fraction(n1 + 1, 2)


class MacroF1(Counting):
    """Half of F1 of both classes: a/(s + n1) + (n0 - s + a)/(2N - s - n1)."""

    name = "macro_f1"

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """1/x + 1/(2N - x) is least at x = N."""
        return Fraction(1, N) + Fraction(1, N)

    def ones_step(self, N: int) -> Fraction:
        """n/(N+n), where no row is predicted 0."""
        return Fraction(N, (2 * N - 1) * 2 * N)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """1/x + 1/(2N - x), x from n1 + 1 to n1 + N - 1, is convex: largest at an end."""
        ends = (n1 + 1, n1 + N - 1)
        return max(Fraction(1, x) + Fraction(1, 2 * N - x) for x in ends)


class Jaccard(Counting):
    """a/(s + n1 - a)."""

    name = "jaccard"
    ones_over_rows = True

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """(a+1)/(x-1) - a/x = (a+x)/(x(x-1)) >= 1/(x-1), x = s + n1 - a rows of N."""
        return Fraction(1, max(1, N - 1))

    def ones_step(self, N: int) -> Fraction:
        """n1/N."""
        return Fraction(1, N)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """Nothing, or one of n1."""
        return Fraction(0), Fraction(1, N)

    def pair(self, N: int) -> Fraction | None:
        """All ones, and one less: s/N and (s-1)/N, or s/N and s/(N-1) with s < N."""
        return Fraction(1, N)

    def swap(self, N: int, n1: int) -> Fraction | None:
        """(a+x)/(x(x-1)), a + 1 <= min(s, n1) and x >= max(s, n1) + 1: at most 2/x, and x > n1."""
        return Fraction(2, 1 + n1)


class BalancedAccuracy(Counting):
    """The mean of a/n1 and (n0 - s + a)/n0."""

    name = "balanced_accuracy"
    one_class = False
    control = True

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """(1/n1 + 1/n0)/2, least where both are alike."""
        if n1 is None:
            n1 = N // 2
        return (Fraction(1, n1) + Fraction(1, N - n1)) / 2 if 0 < n1 < N else Fraction(0)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """(0 + (n0 - 1)/n0)/2, or (1/n1 + 1)/2, neither class larger than N - 1."""
        if N < 2:
            return None
        return Fraction(N - 2, 2 * (N - 1)), Fraction(N, 2 * (N - 1))

    def pair(self, N: int) -> Fraction | None:
        """A zero more or less among classes as alike as may be: 1/n0 or 1/n1 at most, the larger class before, or after."""
        return Fraction(1, (N + 1) // 2) if N >= 3 else None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """Half of either recall's step."""
        return (Fraction(1, n1) + Fraction(1, N - n1)) / 2


class RocAuc(BalancedAccuracy):
    """Balanced accuracy, where there are two levels; of more a sum of ranks."""

    name = "roc_auc"
    predictions = ("real",)
    control = False
    has_nan = True

    def values(self, c: Channel) -> int | None:
        """Any number."""
        return None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """From the lowest rank to the highest, of n0 n1 pairs."""
        return Fraction(N - 1, n1 * (N - n1))

    def rank_error(self, c: Channel, queries: int) -> Interval:
        """Of N levels: each has two rates, a difference, a product and a sum, most of which cancel; steps are 1/(2 n0 n1)."""
        return self.off(c, queries, False, ROUNDINGS + 2 * c.N, 2 * c.N.bit_length())


class Mcc(Counting):
    """(aN - s n1)/sqrt(s (N-s) n0 n1)."""

    name = "mcc"
    lowest = -1
    one_class = False

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """N over the roots of two products, each of numbers that add up to N: at most N/2."""
        if n1 is None:
            return Fraction(4, N)
        product = n1 * (N - n1)
        root = isqrt(product)
        return Fraction(2, root if root * root == product else root + 1) if product else Fraction(0)

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """-sqrt(n1/((N-1) n0)) and sqrt(n0/((N-1) n1)), both classes at least 1."""
        return (-Fraction(1, N - 1), Fraction(1, N - 1)) if N > 1 else None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """N/sqrt((N-1) n0 n1), from above."""
        return Fraction(N << 96, isqrt(((N - 1) * n1 * (N - n1)) << 192))


class Kappa(Counting):
    """2(aN - s n1)/(s n0 + (N-s) n1)."""

    name = "kappa"
    lowest = -1
    one_class = False
    has_nan = True

    def count_step(self, N: int, n1: int | None) -> Fraction:
        """2N over a mixture of n0 and n1, N times: at most N times the larger."""
        if N < 2 or n1 in (0, N):
            return Fraction(0)
        return Fraction(2 * N, N * (N - 1 if n1 is None else max(n1, N - n1)))

    def single(self, N: int) -> tuple[Fraction, Fraction] | None:
        """-2 n1/(n0 + (N-1) n1) at n1 = 1, and 2 n0/(n0 + (N-1) n1) at n0 = 1."""
        return (Fraction(-2, 2 * (N - 1)), Fraction(2, 1 + (N - 1) ** 2)) if N > 1 else None

    def swap(self, N: int, n1: int) -> Fraction | None:
        """2N over a mixture of n0 and n1, N times, at least once either."""
        n0, least = N - n1, min(n1, N - n1)
        return Fraction(2 * N, (N - 1) * least + max(n0, n1))


COUNTING: tuple[Counting, ...] = (
    Accuracy(),
    BalancedAccuracy(),
    Precision(),
    Recall(),
    F1(),
    MacroF1(),
    Jaccard(),
    Mcc(),
    Kappa(),
    RocAuc(),
)

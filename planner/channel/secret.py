"""What is hidden: labels of so many rows and classes, of which a part is wanted, and what is known of them beforehand.

Rows submitted, rows scored, labels wanted and classes are four numbers. A score is a mean over the rows that are scored:
theirs is the divisor, and theirs are the labels that the scores can tell. Which rows these are may be secret. Where only
labels are wanted, an attacker who is told has no harder a task: the secret is that of a board of the scored rows alone.
Where the split is wanted too, it is one of C(N, n).

An attacker's guess is right but for `radius` labels: the labelings that are possible are a ball about it. Where the number
of ones is public, the guess is that all labels are of the commoner class, and it has exactly so many wrong: the labelings
are the sphere. Nothing known is a ball that holds every labeling.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from dsl.alike import ByFields
from planner.numerics.reals import ball, log2

TERMS = 64  # of a ball's volume that are added up: those after are the same to a few units of the last place, or fewer


@dataclass(frozen=True, eq=False, repr=False)
class Secret(ByFields):
    """The set of possible labelings, and how many of them count as right."""

    rows: int  # of a submission
    scored: int  # of them
    classes: int
    wrong: int  # labels that may come out wrong
    radius: int  # labels that the attacker's guess may have wrong; as many as there are: it has none
    exactly: bool = False  # it has just so many wrong
    uncertain: int = 0  # rows that may be scored beside those
    membership: bool = False  # which rows are scored is wanted too

    @property
    def informed(self) -> bool:
        """Whether anything is known of the labels beforehand."""
        return self.exactly or self.radius < self.scored

    @property
    def settled(self) -> bool:
        """Whether the guess alone meets the goal."""
        return self.informed and self.radius <= self.wrong

    # -- how many there are ------------------------------------------------------------------------------

    def bits(self) -> arb:
        """log2 of how many labelings there are, from below."""
        if self.membership:
            return self._splits(self.scored).min(self._splits(self.scored + self.uncertain))
        if not self.informed:
            return self.scored * log2(ball(self.classes))
        return self._shell(self.radius) if self.exactly else self._volume(self.radius)

    def _splits(self, scored: int) -> arb:
        """log2 of C(N, n) K^n: its second differences are negative, so over a range of n it is least at an end."""
        N = self.rows
        choose = ball(N + 1).lgamma() - ball(scored + 1).lgamma() - ball(N - scored + 1).lgamma()
        return choose / arb(2).log() + scored * log2(ball(self.classes))

    def tolerated(self) -> arb:
        """log2 of the number of labelings within the admissible distance of the truth, from above.

        The terms C(N,j)(K-1)^j rise up to j = r by factors of at least 1/q, q = r/((N-r+1)(K-1)), so their sum is at
        most the last one over 1-q.
        """
        N, r, K = self.scored, self.wrong, self.classes
        if r == 0:
            return arb(0)
        q = Fraction(r, (N - r + 1) * (K - 1))
        if q >= 1:
            return N * log2(ball(K))
        return self._shell(r) - log2(1 - ball(q))

    def needed(self) -> arb:
        """Bits that must be learned: all, less what need not be known."""
        return self.bits() - self.tolerated()

    def _shell(self, distance: int) -> arb:
        """log2 of the number of labelings at a distance of the guess: C(N, j)(K-1)^j."""
        N, K = self.scored, self.classes
        choose = ball(N + 1).lgamma() - ball(distance + 1).lgamma() - ball(N - distance + 1).lgamma()
        return (choose + distance * ball(K - 1).log()) / arb(2).log()

    def _volume(self, radius: int) -> arb:
        """log2 of the ball's size, from below: the last terms of its sum, from where they fall inwards."""
        N, K = self.scored, self.classes
        last = min(radius, N * (K - 1) // K)
        total = term = arb(1)
        for j in range(last, max(0, last - TERMS), -1):
            term = term * j / ((N - j + 1) * (K - 1))
            total += term
        return self._shell(last) + log2(total)

    # -- how far scores tell them apart --------------------------------------------------------------------

    @property
    def share(self) -> Fraction:
        """Times W, the length of an interval that holds every score of one submission: min(1, 2s/N).

        A labeling differs from the guess in at most s rows, and each moves the sum of charges by W at most, either way.
        """
        return min(Fraction(1), Fraction(2 * self.radius, self.scored)) if self.informed else Fraction(1)

    def distance(self) -> int | None:
        """The least distance of two labelings of which no answer is right for both; None: there are no such two.

        Two that are equally far from the guess differ by swaps, in an even number of labels.
        """
        N, r, s = self.scored, self.wrong, self.radius
        if self.exactly:
            return 2 * r + 2 if r + 1 <= min(s, N - s) else None
        return 2 * r + 1 if 2 * r + 1 <= min(N, 2 * s) else None

    @property
    def doubts(self) -> int:
        """How many questions of two answers each may be open, all independent, whatever an attacker is told beside.

        Within s of a guess: whether it is wrong, for any s labels. At just s: which label of a pair is wrong.
        """
        return min(self.radius, self.scored - self.radius) if self.exactly else min(self.radius, self.scored)

    @property
    def swapped(self) -> int:
        """How many labels the two answers of such a question differ in."""
        return 2 if self.exactly else 1

    def energy(self) -> Fraction:
        """kappa: times W^2, the most that the variances of what all scores tell add up to.

        The trace of the covariance of the labels' indicators, times what one row's charges have of squares about their
        mean at most, W^2 floor(K^2/4)/K, over the N of a mean. For labels of which nothing is known the trace is
        N (1 - 1/K), its largest; for those at a distance of s = pN from a guess it is N (1 - (1-p)^2 - p^2/(K-1)), and no
        more for those within it, up to where that is largest.
        """
        K = self.classes
        if self.membership:
            # n charges, each within W/2 of the middle, of N K indicators that are 1 with a chance of n/(N K).
            return Fraction(K * self.rows, 4 * self.scored) * (1 - Fraction(self.scored, self.rows * K))
        p = Fraction(self.radius, self.scored)
        if not self.informed or (p > Fraction(K - 1, K) and not self.exactly):
            return Fraction((K - 1) * (K * K // 4), K * K)
        return Fraction(K * K // 4, K) * (1 - (1 - p) ** 2 - p * p / (K - 1))

    def variance(self) -> Fraction:
        """Times W^2, the largest variance of one score whose submission does not depend on the labels.

        Independent labels: floor(K^2/4)/K^2 each, over N. For labels at a distance of exactly s = pN from a guess,
        p <= 1/2, it is p(1-p)/(N-1): a row adds b D, b whether the guess is wrong and D in [a, a+W], a <= 0 <= a+W; the
        draws of D add p Var D each, and their means m, of rows drawn without replacement, p(1-p) N/(N-1) sum of m^2 at
        most; p Var D + p(1-p) m^2 <= p(1-p) W^2. Anything in an interval has a quarter of its length squared at most.
        """
        K, N, s = self.classes, self.scored, self.radius
        if self.membership:
            # n rows drawn without replacement, a charge each: no more than n of one drawn at random.
            return Fraction(1, 4 * N)
        if not self.informed:
            return Fraction(K * K // 4, K * K * N)
        if self.exactly and 2 * s <= N and N > 1:
            return Fraction(s * (N - s), N * N * (N - 1))
        return self.share**2 / 4

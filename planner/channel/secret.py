"""What is hidden: labels of so many rows and classes, of which a part is wanted.

Rows submitted, rows scored, labels wanted and classes are four numbers. A score is a mean over the rows that are scored:
theirs is the divisor, and theirs are the labels that the scores can tell.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from planner.numerics.reals import ball, log2


@dataclass(frozen=True)
class Secret:
    """The set of possible labelings, and how many of them count as right."""

    rows: int  # of a submission
    scored: int  # of them
    classes: int
    wrong: int  # labels that may come out wrong

    def bits(self) -> arb:
        """log2 of how many labelings there are."""
        return self.scored * log2(ball(self.classes))

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
        choose = ball(N + 1).lgamma() - ball(r + 1).lgamma() - ball(N - r + 1).lgamma()
        return (choose + r * ball(K - 1).log() - (1 - ball(q)).log()) / arb(2).log()

    def energy(self) -> Fraction:
        """kappa: times W^2, the most that the variances of what all scores tell add up to.

        The trace of the covariance of the labels' indicators, N (1 - 1/K), times what one row's charges have of squares
        about their mean at most, W^2 floor(K^2/4)/K, over the N of a mean.
        """
        K = self.classes
        return Fraction((K - 1) * (K * K // 4), K * K)

    def needed(self) -> arb:
        """Bits that must be learned: all, less what need not be known."""
        return self.bits() - self.tolerated()

"""How many comparisons settle the doubtful sums of a dithered spread: a rigorous tail over the attacker's coins.

With an error |x| in gaps, a sum in bin i of doubt costs 2^-i comparisons if it is right (its share of a group that
is found clean), 1 + i if it is wrong (its group's test and halvings), and 1 either way in bin 0. That cost rises
with |x|, so it is a sum of steps at points a_k, and its mean needs nothing but P(|x| >= a_k), which is exact.
Rounds are independent. Within a round the errors are a rotation of independent uniforms: k of h have a joint density of
at most (1 - 3k/h)^(-k/2) times that of independent normals of their variance (docs/theory/attacks.md), two of them are u + v
and u - v with u, v independent, and by Parseval their squares sum to the mean square of the rounding errors.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from operator import mul

from flint import arb

from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.spread.parameters import base_set
from planner.numerics.lockless import cached_property
from planner.numerics.reals import ball, lower, recalled, upper
from planner.numerics.tails import POINT_BITS, uniform_mean_tail, uniform_mean_tail_at

EDGE_SLACK = Fraction(1, 10**9)  # the decoder's own rounding of a measurement, in gaps
SUM_BITS = 30  # float64 sums over all pairs of cells lose less than 2^-30 of themselves
RAISED = 1 + 2.0**-48  # a cell's probability: more than a float64 is off, so that no other arithmetic bounds it higher
POINT_SLACK = 1e-12  # by which a point is moved, relatively and absolutely, far above its rounding
CELLS = 192  # of the grid on which the covariance of two errors is bounded
SHARES = tuple(Fraction(k, 8) for k in range(3, 9))  # bounds tried on the mean square of a round's rounding errors
RATES = range(-12, 13)  # quarter powers of two that are tried as Chernoff's parameter
GENTLE = range(-36, 9)  # the same where errors are as good as independent: costs of many sums keep close to their mean
MANY = 64  # sums a round, from which on no other bound was seen to be the least
MOST_FAR = 2**11  # sums that are costly at once, by the rough bound: a rate that expects more is left out
REST_BITS = 40  # what is left of a series of positive terms that begins with 1


class Settling:
    """The cost of settling, for parameters and the deviations of measurements that they entail."""

    def __init__(self, p: DitheredSpread, moved: arb) -> None:
        self.p = p
        self.sums = p.order * p.rounds
        self.eta = Fraction(p.doubt_step)
        self.deepest = min(int(Fraction(1, 2) / self.eta), self.sums.bit_length())
        self.gap: arb = p.scored_by.strength(p.small, p.classes) / base_set(p.base).maximum
        self.spread: arb = ball(p.cell) / (2 * self.gap)  # largest rounding error, in gaps
        self.slack: arb = moved / self.gap + ball(EDGE_SLACK)

    @property
    def bins(self) -> int:
        """Bins of doubt; each can end with a group that is not full."""
        return self.deepest + 1

    @cached_property
    def steps(self) -> list[tuple[Fraction, Fraction]]:
        """Where the cost of a sum rises, and by how much, ascending from 2^-deepest."""
        half = Fraction(1, 2)
        right = [(half - i * self.eta, Fraction(1, 2**i)) for i in range(self.deepest, 0, -1)]
        wrong = [(half + i * self.eta, Fraction(1)) for i in range(1, self.deepest + 1)]
        return right + [(a, rise) for a, rise in wrong if a < 1]

    @cached_property
    def heights(self) -> list[Fraction]:
        """The cost before the first step, and after each."""
        heights = [Fraction(1, 2**self.deepest)]
        for _, rise in self.steps:
            heights.append(heights[-1] + rise)
        return heights

    def exceeds(self, a: Fraction) -> arb:
        """P(|error| >= a gaps) for one sum, as what else moves a measurement can raise it."""
        return uniform_mean_tail(self.p.order, (ball(a) - self.slack) / self.spread)

    @cached_property
    def moments(self) -> tuple[arb, arb]:
        """Bounds on the mean and on the mean square of one sum's cost."""
        mean, square = ball(self.heights[0]), ball(self.heights[0] ** 2)
        for (a, rise), before in zip(self.steps, self.heights, strict=False):
            chance = self.exceeds(a)
            mean += ball(rise) * chance
            square += ball(rise * (2 * before + rise)) * chance
        return mean, square

    def probability_above(self, comparisons: int) -> arb:
        """A bound on the probability that settling takes more comparisons; every error is below a gap."""
        return reduce(arb.min, self._bounds(comparisons), arb(1))

    def suffices(self, comparisons: int, chance: arb) -> bool:
        """Whether some bound on that probability is at most `chance`; a search asks no further than the first."""
        return any(bound <= chance for bound in self._bounds(comparisons))

    def _bounds(self, comparisons: int) -> Iterator[arb]:
        """Bounds on the probability, the cheapest first; each is a proof by itself."""
        room = ball(comparisons - self.bins)
        if not self.slack < ball(Fraction(1, 4)):
            return
        yield self._as_independent(room)
        yield self._chernoff(room)
        if self.p.order >= MANY:
            return
        yield self._cantelli(room)
        for share in SHARES:
            bound = self._bennett(room, share)
            if not bound.is_nan():  # 0/0 where the cost does not vary at all
                yield bound

    # -- errors as good as independent -----------------------------------------------------------------

    def _as_independent(self, room: arb) -> arb:
        """Markov's inequality for exp(rate * cost) of all rounds, at the best rate."""
        over = room - self.sums * ball(self.heights[0])
        found = ((self.p.rounds * moment.log() - rate * over).exp() for rate, moment in self._round_moments)
        return reduce(arb.min, found, arb(1))

    @cached_property
    def _round_moments(self) -> list[tuple[arb, arb]]:
        """Rates, and for each a bound on E exp(rate * cost) of a round, the least cost of its sums apart."""
        deviation = self.spread / arb(3 * self.p.order).sqrt()
        places = [(ball(a) - self.slack).max(arb(0)) / deviation for a, _ in self.steps]
        normal = [(x / arb(2).sqrt()).erfc() for x in places]
        rough = [(2 * (-(x**2) / 2).exp()).min(arb(1)) for x in places]
        moments = []
        for quarter in GENTLE:
            rate = arb(2) ** (arb(quarter) / 4)
            growth = [(rate * ball(height - self.heights[0])).exp() for height in self.heights]
            rises = [after - before for before, after in pairwise(growth)]
            near, far = (sum(map(mul, chances, rises), arb(0)) for chances in (normal, rough))
            if self.p.order * far < MOST_FAR:
                moments.append((rate, product_moment(self.p.order, near, far)))
        return moments

    # -- independent rounds ----------------------------------------------------------------------------

    def _bennett(self, room: arb, share: Fraction) -> arb:
        """Bennett's inequality over rounds whose mean square error stays below `share` of its maximum."""
        mean, most = self.sums * self.moments[0], self._most_a_round[share]
        variance = (self.p.rounds * self._variance_of_round).min(most * mean)
        over = room - mean
        if not (over > 0 and most.is_finite()):
            return arb(1)
        ratio = most * over / variance
        tail = (-(variance / most**2) * ((1 + ratio) * (1 + ratio).log() - ratio)).exp()
        return (tail + self.p.rounds * mean_square_tail(self.p.order, share)).min(arb(1))

    def _cantelli(self, room: arb) -> arb:
        """Cantelli's inequality: all that the variance alone tells, for few rounds of many sums."""
        over = room - self.sums * self.moments[0]
        variance = self.p.rounds * self._variance_of_round
        return variance / (variance + over**2) if over > 0 else arb(1)

    @cached_property
    def _most_a_round(self) -> dict[Fraction, arb]:
        """The largest cost of one round: at most 2^-deepest + rho x^2 a sum, with the best rho, and Parseval."""
        rho = arb(0)
        for (a, _), height in zip(self.steps, self.heights[1:], strict=True):
            reduced = ball(a) - self.slack
            rho = rho.max(ball(height - self.heights[0]) / reduced**2) if reduced > 0 else arb.pos_inf()
        plain, floor = self.p.order * ball(self.heights[-1]), self.p.order * ball(self.heights[0])
        return {share: plain.min(floor + rho * ball(share) * self.spread**2) for share in SHARES}

    @cached_property
    def _variance_of_round(self) -> arb:
        """Var of the cost of one round: h Var f + h (h-1) Cov(f(u+v), f(u-v))."""
        h, (_, square) = self.p.order, self.moments
        least = self._least_mean
        if h == 1:
            return square - least**2
        return h * square + h * (h - 1) * self._joint_moment - h * h * least**2

    @property
    def _least_mean(self) -> arb:
        """A lower bound on the mean cost of a sum."""
        mean = ball(self.heights[0])
        for a, rise in self.steps:
            beyond = (ball(a) + self.slack) / self.spread + arb(2) ** (1 - POINT_BITS)
            mean += ball(rise) * uniform_mean_tail(self.p.order, beyond)
        return ball(lower(mean))

    @property
    def _joint_moment(self) -> arb:
        """A bound on E f(u+v) f(u-v) = E f(|u|+|v|) f(||u|-|v||), by an upper sum over cells of |u| and |v|."""
        width, masses, rest = self._cells()
        most = float(self.heights[-1])
        cost = [self._cost_within(width * i) for i in range(2 * len(masses) + 1)]
        total = rest * most * most * 2  # |u| or |v| beyond the cells
        for i, mass in enumerate(masses):
            # over k < i: the mass of cell k, times the costs of |u| + |v| and of ||u| - |v||
            below = sum(map(mul, map(mul, masses, cost[i + 2 : 2 * i + 2]), cost[i + 1 : 1 : -1]))
            total += mass * (2 * below + mass * cost[2 * i + 2] * cost[1])
        return ball(Fraction(total)) * (1 + arb(2) ** -SUM_BITS)

    def _cost_within(self, size: float) -> float:
        """The largest cost of an error of at most that size, rounding included."""
        return float(self.heights[bisect_right(self._points, size * (1 + POINT_SLACK) + POINT_SLACK)])

    @cached_property
    def _points(self) -> list[float]:
        """Where the cost can rise, deviations of measurements included."""
        return [float(lower(ball(a) - self.slack)) for a, _ in self.steps]

    def _cells(self) -> tuple[float, list[float], float]:
        """The width of cells for |u|, the probability of each, rounded up, and of all beyond them."""
        far = self.spread / 2  # the largest |u|
        share = Fraction(max(1, int(min(1.0, 1 / float(far)) * 2**20 / CELLS)), 2**20)  # beyond a gap it is rare
        points = [i * share for i in range(CELLS + 1)]
        tails = [uniform_mean_tail_at(self.p.order // 2, point) for point in points]
        masses = [max(0.0, float(upper(a - b)) * RAISED) for a, b in pairwise(tails)]
        return float(upper(far * ball(share))), masses, float(upper(tails[-1]))

    # -- one round with many sums ----------------------------------------------------------------------

    def _chernoff(self, room: arb) -> arb:
        """Markov's inequality for exp(rate * cost), at the best rate."""
        best = arb(1)
        for rate, moment in self._log_moments:
            best = best.min((self.sums * moment - rate * room).exp())
        return best

    @cached_property
    def _log_moments(self) -> list[tuple[arb, arb]]:
        """Rates, and for each the logarithm of a bound on E exp(rate * cost) of one sum.

        All errors of a set of sums exceed their a_b together with probability at most the product of
        2 exp(-a_b^2 / (2 variance)), as if they were independent.
        """
        variance = self.spread**2 / (3 * self.p.order)
        chances = []
        for a, _ in self.steps:
            reduced = (ball(a) - self.slack).max(arb(0))
            chances.append((2 * (-(reduced**2) / (2 * variance)).exp()).min(arb(1)))
        moments = []
        for quarter in RATES:
            rate = arb(2) ** (arb(quarter) / 4)
            growth = [(rate * ball(height)).exp() for height in self.heights]
            rises = (chance * (b - a) for chance, a, b in zip(chances, growth, growth[1:], strict=False))
            moments.append((rate, sum(rises, growth[0]).log()))
        return moments


def product_moment(order: int, near: arb, far: arb) -> arb:
    """A bound on E of the product of 1 + g over the sums of a round, g >= 0 a function of a sum's error.

    Of k factors g at once the mean is at most (1 - 3k/h)^(-k/2) near^k, near = E g of a normal error, if 4k <= h; and far^k
    whatever k is. Once k >= 2 h far the terms at least halve.
    """
    total, subsets = arb(1), arb(1)
    for k in range(1, order + 1):
        subsets = subsets * (order + 1 - k) / k
        rest = subsets * far**k
        if k >= 2 * order * far and rest < arb(2) ** -REST_BITS:
            return total + 2 * rest
        total += rest if 4 * k > order else subsets * (near / (1 - ball(Fraction(3 * k, order))).sqrt()) ** k
    return total


@recalled(4096)
def mean_square_tail(count: int, share: Fraction) -> arb:
    """P(mean of the squares of `count` uniforms on [-1, 1] > share), by Chernoff with E exp(s U^2) exact."""
    if share >= 1:
        return arb(0)
    best = arb(1)
    for quarter in range(-4, 25):
        rate = arb(2) ** (arb(quarter) / 4)
        moment = arb.pi().sqrt() * rate.sqrt().erfi() / (2 * rate.sqrt())
        best = best.min((count * (moment.log() - rate * ball(share))).exp())
    return best

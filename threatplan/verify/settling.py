"""How many comparisons settle the doubtful sums of a dithered spread: bounds on the chance that it takes more.

An error of |x| gaps puts a sum into a bin of doubt: bin i costs 2^-i if the sum is right, 1 + i if it is wrong. The
cost rises with |x|, so its moments follow from P(|x| >= a) at the points a where it rises. Rounds are independent; within
a round k errors of h have at most (1 - 3k/h)^(-k/2) times the density of independent normals, and two of them are u + v and
u - v with u, v independent.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from math import log as float_log

from threatplan.verify.intervals import (
    INFINITY,
    ONE,
    ZERO,
    Interval,
    bits,
    erfc,
    exp,
    hull,
    larger,
    log,
    power_of_two,
    real,
    smaller,
    sqrt,
)
from threatplan.verify.tails import GRID, uniform, uniform_at

EDGE = Fraction(1, 10**9)  # of the decoder's own rounding, in gaps
CELLS = 192
SHARES = tuple(Fraction(k, 8) for k in range(3, 9))
RATES = range(-12, 13)
GENTLE = range(-36, 9)
MANY = 64
MOST_FAR = 2**11
REST_BITS = 40


class Settling:
    """The cost of settling."""

    def __init__(
        self, order: int, rounds: int, cell: Fraction, gap: Interval, float_gap: float, moved: Interval
    ) -> None:
        self.order, self.rounds = order, rounds
        self.sums = order * rounds
        # The attacker's own step of doubt: variance of a sum times ln 2, in float64.
        spread = float(cell) / float_gap
        self.eta = Fraction(spread * spread / (12 * order) * float_log(2))
        self.deepest = min(int(Fraction(1, 2) / self.eta), self.sums.bit_length())
        self.spread = cell / (2 * gap)
        self.slack = moved / gap + EDGE

    @cached_property
    def steps(self) -> list[tuple[Fraction, Fraction]]:
        """Where the cost rises, and by how much."""
        half = Fraction(1, 2)
        right = [(half - i * self.eta, Fraction(1, 2**i)) for i in range(self.deepest, 0, -1)]
        wrong = [(half + i * self.eta, Fraction(1)) for i in range(1, self.deepest + 1)]
        return right + [step for step in wrong if step[0] < 1]

    @cached_property
    def heights(self) -> list[Fraction]:
        """The cost before the first rise, and after each."""
        heights = [Fraction(1, 2**self.deepest)]
        for _, rise in self.steps:
            heights.append(heights[-1] + rise)
        return heights

    def exceeds(self, a: Fraction) -> Interval:
        """P(|error| >= a gaps), deviations included."""
        return uniform(self.order, (a - self.slack) / self.spread)

    def above(self, comparisons: int) -> Interval:
        """P(settling takes more comparisons); each bin may end with a group that is not full."""
        found = ONE
        for bound in self._bounds(real(comparisons - self.deepest - 1)):
            if bound >= 0:
                found = smaller(found, bound)
        return found

    def _bounds(self, room: Interval) -> Iterator[Interval]:
        if not self.slack < Fraction(1, 4):
            return
        yield self._as_independent(room)
        yield self._chernoff(room)
        if self.order >= MANY:
            return
        yield self._cantelli(room)
        for share in SHARES:
            yield self._bennett(room, share)

    @cached_property
    def _moments(self) -> tuple[Interval, Interval]:
        mean, square = real(self.heights[0]), real(self.heights[0] ** 2)
        for (a, rise), before in zip(self.steps, self.heights, strict=False):
            chance = self.exceeds(a)
            mean = mean + rise * chance
            square = square + rise * (2 * before + rise) * chance
        return mean, square

    def _chernoff(self, room: Interval) -> Interval:
        """E exp(rate cost), as if errors were independent Gaussian tails of the same variance."""
        variance = self.spread * self.spread / (3 * self.order)
        chances = []
        for a, _ in self.steps:
            near = larger(a - self.slack, ZERO)
            chances.append(smaller(2 * exp(-(near * near) / (2 * variance)), ONE))
        best = ONE
        for quarter in RATES:
            rate = _quarter_power(quarter)
            growth = [exp(rate * height) for height in self.heights]
            moment = growth[0]
            for chance, low, high in zip(chances, growth, growth[1:], strict=False):
                moment = moment + chance * (high - low)
            best = smaller(best, exp(self.sums * log(moment) - rate * room))
        return best

    def _as_independent(self, room: Interval) -> Interval:
        """E exp(rate cost) of a round, for any rate; the rest is Markov's inequality over independent rounds."""
        over = room - self.sums * self.heights[0]
        best = ONE
        for rate, moment in self._moments_of_round:
            best = smaller(best, exp(self.rounds * log(moment) - rate * over))
        return best

    @cached_property
    def _moments_of_round(self) -> list[tuple[Interval, Interval]]:
        """Rates, and bounds on E exp(rate (cost of a round - its least cost))."""
        places = [larger(a - self.slack, ZERO) * sqrt(3 * real(self.order)) / self.spread for a, _ in self.steps]
        normal = [erfc(x / sqrt(2)) for x in places]
        rough = [smaller(2 * exp(-(x * x) / 2), ONE) for x in places]
        found = []
        for quarter in GENTLE:
            rate = _quarter_power(quarter)
            growth = [exp(rate * (height - self.heights[0])) for height in self.heights]
            near = far = ZERO
            for likely, at_most, low, high in zip(normal, rough, growth, growth[1:], strict=False):
                near = near + likely * (high - low)
                far = far + at_most * (high - low)
            if self.order * far < MOST_FAR:
                found.append((rate, product_moment(self.order, near, far)))
        return found

    def _cantelli(self, room: Interval) -> Interval:
        over = room - self.sums * self._moments[0]
        variance = self.rounds * self._variance
        return variance / (variance + over * over) if over > 0 else ONE

    def _bennett(self, room: Interval, share: Fraction) -> Interval:
        """Bennett's inequality over rounds whose mean square error stays below a share of its maximum."""
        mean, most = self.sums * self._moments[0], self._most_of_a_round(share)
        variance = smaller(self.rounds * self._variance, most * mean)
        over = room - mean
        if not (over > 0 and most.finite and variance > 0):
            return ONE
        ratio = most * over / variance
        tail = exp(-(variance / (most * most)) * ((1 + ratio) * log(1 + ratio) - ratio))
        return smaller(tail + self.rounds * mean_square_tail(self.order, share), ONE)

    def _most_of_a_round(self, share: Fraction) -> Interval:
        """At most the least cost and rho x^2 for each sum; by Parseval the squares sum to a share of the spread's."""
        rho = ZERO
        for (a, _), height in zip(self.steps, self.heights[1:], strict=True):
            near = a - self.slack
            rho = larger(rho, (height - self.heights[0]) / (near * near)) if near > 0 else INFINITY
        plain, floor = self.order * real(self.heights[-1]), self.order * real(self.heights[0])
        return smaller(plain, floor + rho * share * self.spread * self.spread)

    @cached_property
    def _variance(self) -> Interval:
        """Of the cost of one round."""
        h, square, least = self.order, self._moments[1], self._least_mean
        if h == 1:
            return square - least * least
        return h * square + h * (h - 1) * self._joint - h * h * least * least

    @cached_property
    def _least_mean(self) -> Interval:
        mean = real(self.heights[0])
        for a, rise in self.steps:
            beyond = (a + self.slack) / self.spread + Fraction(2, GRID)
            mean = mean + rise * uniform(self.order, beyond)
        return mean.low

    @cached_property
    def _joint(self) -> Interval:
        """E f(|u| + |v|) f(||u| - |v||), by an upper sum over cells of |u| and |v|."""
        far = self.spread / 2
        share = Fraction(max(1, int(min(1.0, 1 / float(far)) * 2**20 / CELLS)), 2**20)
        tails = [uniform_at(self.order // 2, i * share) for i in range(CELLS + 1)]
        masses = [max(0.0, _up(a.most() - b.least())) for a, b in pairwise(tails)]
        width = _up((far * share).most())
        points = [float((a - self.slack).least()) for a, _ in self.steps]

        def cost(size: float) -> float:
            return float(self.heights[bisect_right(points, size * (1 + 1e-12) + 1e-12)])

        costs = [cost(width * i) for i in range(2 * CELLS + 1)]
        total = _up(tails[-1].most()) * float(self.heights[-1]) ** 2 * 2
        for i, mass in enumerate(masses):
            below = sum(masses[k] * costs[i + k + 2] * costs[i - k + 1] for k in range(i))
            total += mass * (2 * below + mass * costs[2 * i + 2] * costs[1])
        return Fraction(total) * (1 + power_of_two(-30))


def _up(value: Fraction) -> float:
    """A float64 not below the number."""
    return float(value) * (1 + 2.0**-50)


def _quarter_power(quarter: int) -> Interval:
    """2^(quarter/4)."""
    whole, rest = divmod(quarter, 4)
    return power_of_two(whole) * exp(log(2) * rest / 4)


def product_moment(order: int, near: Interval, far: Interval) -> Interval:
    """E of a product of 1 + g over a round, g >= 0 of each error: summed over how many factors g there are.

    k of them have at most the mean (near/sqrt(1 - 3k/h))^k while 4k <= h, near that of a normal error, and far^k for certain.
    """
    found, choices, power = ONE, ONE, ONE
    for k in range(1, order + 1):
        choices = choices * (order + 1 - k) / k
        power = power * far
        last = choices * power
        halving = 2 * order * far <= k  # each that follows is at most half of the one before
        if halving and last < power_of_two(-REST_BITS):
            return found + hull(ZERO, 2 * last)
        if 4 * k <= order:
            last = choices * exp(k * log(near / sqrt(real(Fraction(order - 3 * k, order)))))
        found = found + last
    return found


def mean_square_tail(count: int, share: Fraction) -> Interval:
    """P(mean of the squares of uniforms on [-1, 1] > share), by Chernoff's bound."""
    if share >= 1:
        return ZERO
    best = ONE
    for quarter in range(-4, 25):
        rate, moment = _log_moment(quarter, bits())
        best = smaller(best, exp(count * (moment - rate * share)))
    return best


@lru_cache(maxsize=256)
def _log_moment(quarter: int, wanted: int) -> tuple[Interval, Interval]:
    """A rate, and ln E exp(rate U^2)."""
    rate = _quarter_power(quarter)
    return rate, log(_mean_exponential(rate))


def _mean_exponential(rate: Interval) -> Interval:
    """E exp(s U^2) = sum of s^n/(n! (2n+1)); from n > 2s on, terms at least halve."""
    term, found, n = ONE, ONE, 0
    while not (term <= power_of_two(-bits()) and rate * 2 <= n):
        n += 1
        term = term * rate / n
        found = found + term / (2 * n + 1)
    return found + hull(ZERO, term)

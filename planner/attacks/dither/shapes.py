"""Which shapes a dithered spread may have, and about how many queries they take: floats, on which nothing rests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, erfc, inf, log, sqrt

from planner.attacks.dither.parameters import HALF
from planner.attacks.spread.parameters import base_set
from planner.attacks.spread.shapes import block_of, rounds_for
from planner.attacks.threshold.parameters import SETTLING_REACH, Thresholds
from planner.channel.channel import Channel
from planner.designs.hadamard import orders

LARGEST_BASE = 8  # labels in a butterfly's base row; more were not seen to win
MOST_SLACK = 0.01  # gaps by which the grid of predictions may move a sum
FEW, MANY = 16, 64  # sums a round: below, errors are not as good as independent; from there on, rounds are too few
STEP = 1.08  # between the orders that are tried for some of the labels


@dataclass(frozen=True)
class Shape:
    """Order of the Hadamard matrix, rounds and base of the butterfly, and about how many queries they take."""

    base: int
    order: int
    rounds: int
    expected: float


def shapes(channel: Channel, setting: Thresholds) -> Iterator[Shape]:
    """Shapes whose averaged error has a standard deviation between 0.06 and 0.3 gaps."""
    labels = setting.rows - setting.offset_rows
    for base, spread, choices in windows(setting):
        for order in choices:
            rounds = rounds_for(-(-labels // order), base)
            if rounds >= most_rounds(setting, base):
                continue
            yield Shape(base, order, rounds, estimate(order, rounds, spread, float(channel.delta) / setting.bits))


def windows(setting: Thresholds) -> Iterator[tuple[int, float, list[int]]]:
    """For each base the largest rounding error in gaps, and the orders whose averages lie in the window."""
    for base in range(1, LARGEST_BASE + 1):
        if steady_levels(setting, base):
            spread = float(setting.cell) * base_set(base).maximum / setting.reach
            least, most = int(spread**2 / (12 * 0.3**2)), int(spread**2 / (12 * 0.06**2)) + 2
            yield base, spread, orders(max(1, least), min(most, 2 * (setting.rows - setting.offset_rows)))


def most_rounds(setting: Thresholds, base: int) -> float:
    """From how many rounds on comparisons of many sums no longer bear the error: their gap falls with each."""
    gap = min(setting.reach, SETTLING_REACH) / base_set(base).maximum
    return gap / 2 / setting.tolerance if setting.tolerance > 0 else inf


def steady_levels(setting: Thresholds, base: int) -> bool:
    """Whether predictions for all entries lie well on the grid near 1, where one column has to put them."""
    amplitude = base_set(base).maximum
    gap = setting.reach / amplitude
    off = setting.scored_by.steady_multiple(setting.columns, gap * (amplitude - 1))
    return setting.rows * off < MOST_SLACK * gap


def estimate(order: int, rounds: int, spread: float, delta: float) -> float:
    """About the certified number of queries, by either way to bound what settling costs."""
    return min(estimates(order, rounds, spread, delta))


def estimates(order: int, rounds: int, spread: float, delta: float) -> tuple[float, float]:
    """With normal errors: by Bernstein's or Cantelli's inequality over rounds, and by sums as good as independent."""
    M, variance = order * rounds, spread**2 / (12 * order)
    if spread > 2 and 2 * M * erfc(1 / sqrt(2 * variance)) > delta:  # errors of a whole gap leave half of it
        return inf, inf
    mean, square = _moments(M, order, variance)
    needed = log(1.3 / delta)
    deviation = sqrt(2 * M * square * needed)
    by_rounds = deviation + 12 * order * variance * 4 * needed / 3  # about rho times the largest mean square of a round
    by_sums = deviation + M * mean * 1.5 / order + 2 * needed if order >= FEW else inf
    return M + M * mean + min(by_rounds, sqrt(M * square / delta)), M + M * mean + by_sums


def _moments(M: int, order: int, variance: float) -> tuple[float, float]:
    """Mean and mean square of a sum's settling cost: an error is normal, or uniform where it is the mean of one."""
    eta, depth = variance * log(2), M.bit_length()
    deepest = min(int(0.5 / eta), depth)
    mean, square, height = 2.0**-deepest, 4.0**-deepest, 2.0**-deepest
    steps = [(0.5 - i * eta, 2.0**-i) for i in range(deepest, 0, -1)]
    steps += [(0.5 + i * eta, 1.0) for i in range(1, deepest + 1)]
    for at, rise in steps:
        chance = max(0.0, 1 - at / sqrt(3 * variance)) if order == 1 else erfc(at / sqrt(2 * variance))
        mean += rise * chance
        square += rise * (2 * height + rise) * chance
        height += rise
    return mean, square


# -- some of the labels -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rung:
    """A base and an order with any number of rounds."""

    base: int
    order: int
    spread: float  # the largest rounding error, in gaps
    delta: float  # left to coins
    most: float  # rounds from which on comparisons of many sums no longer bear the error

    def labels(self, rounds: int) -> int:
        """All blocks full."""
        return self.order * block_of(self.base, rounds)

    def rounds(self, labels: int) -> int:
        """As many as hold so many labels."""
        return rounds_for(-(-labels // self.order), self.base)

    def settle(self, rounds: int) -> float:
        """Comparisons that settle all sums: what is expected, and more than any bound was seen to add to it."""
        if rounds >= self.most:
            return inf
        sums = self.order * rounds
        by_rounds, by_sums = (one - sums for one in _estimates(self.order, rounds, self.spread, self.delta))
        room = 1.05 * by_sums + 1.5 * by_sums**2 / sums + 1.5 * log(1.3 / self.delta)
        if self.order < MANY:
            room = min(room, 1.35 * by_rounds + 1.5 * by_rounds**2 / sums)
        return ceil(room) + sums.bit_length() + 4 if room < inf else inf

    def asked(self, rounds: int) -> float:
        """Measurements and comparisons."""
        return self.order * rounds + self.settle(rounds)


def ladder(channel: Channel, setting: Thresholds) -> Iterator[Rung]:
    """Bases and orders that no goal and no budget changes: so more of either never finds less."""
    delta = float(channel.delta * (1 - HALF) if channel.law.tailed else channel.delta) / setting.bits
    for base, spread, choices in windows(setting):
        last, most = 0, most_rounds(setting, base)
        for order in choices:
            if order >= last * STEP:
                last = order
                yield Rung(base, order, spread, delta, most)


_estimates = lru_cache(maxsize=4096)(estimates)

"""Which shapes of a spread hold how many labels in how few queries: a search over bases, orders, rounds and repeats.

How many noises must be averaged for all sums to come out right depends on the base by its gap, and on the number of sums
by a union bound. It is worked out for a few numbers of sums and interpolated between them: as a function of the sums'
logarithm it is convex for every law in use, so a chord asks for too much rather than for too little. Shapes do not
depend on how many labels are wanted or how many queries are allowed, so more of either never finds less.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import ceil, log2
from typing import NamedTuple

from flint import arb

from planner.channel.channel import Channel
from planner.designs.hadamard import orders
from planner.designs.popcounts import fewest_queries, popcount_sum
from planner.numerics.reals import ball
from planner.numerics.search import first_between, largest

LARGEST_BASE = 40  # labels in a butterfly's base row
ALARM = Fraction(1, 64)  # of delta: that an attack on some labels refuses its own answer
STRIDE = 3  # bits between the numbers of sums for which averages are worked out
SPARED = Fraction(1, 2**16)  # of delta: for noise that is larger than its rounding is reckoned for
MOST_AVERAGED = 2**40
SPARE = 16  # shapes are kept that take a sixteenth more than the best, should it fail


class Shape(NamedTuple):
    """Blocks, rounds and base of a spread, how often each query is asked, and what comes of it."""

    base: int
    order: int
    rounds: int
    repeats: int

    @property
    def queries(self) -> int:
        """For each bit of a class."""
        return self.order * self.rounds * self.repeats

    @property
    def labels(self) -> int:
        """All blocks full."""
        return self.order * block_of(self.base, self.rounds)


def block_of(base: int, rounds: int) -> int:
    """Labels of one block: the butterfly's capacity."""
    return base * rounds + popcount_sum(rounds)


def rounds_for(block: int, base: int) -> int:
    """Rounds of a butterfly that holds one block."""
    return fewest_queries(block, lambda r: block_of(base, r))


@lru_cache(maxsize=8)
def orders_to(most: int) -> list[int]:
    """All orders of Hadamard matrices at hand."""
    return orders(1, most)


class Averages:
    """How many noises have to be averaged, by the base and the number of sums."""

    def __init__(self, channel: Channel, margins: dict[int, arb]) -> None:
        self.channel = channel
        self.margins = margins  # by the base: half a gap of the mean score, less what is no noise
        self.bits = (channel.classes - 1).bit_length()
        self._kept: dict[tuple[int, int], int] = {}

    def needed(self, base: int, sums: int) -> int:
        """Noises in an average, for so many sums, all of which have to be right."""
        place = log2(sums) / STRIDE
        below, share = int(place), place - int(place)
        low = self._exactly(base, below)
        return low if not share else ceil(low + share * (self._exactly(base, below + 1) - low))

    def _exactly(self, base: int, place: int) -> int:
        """The same for 2^(STRIDE place) sums, by doubling and bisection from the place before."""
        key = base, place
        if key not in self._kept:
            self._kept[key] = self._searched(base, place)
        return self._kept[key]

    def _searched(self, base: int, place: int) -> int:
        chance = ball(self.channel.delta * (1 - ALARM - SPARED)) / 2 ** (STRIDE * place)

        def enough(count: int) -> bool:
            return bool(self.channel.law.tail_of_mean(count, self.margins[base]) <= chance)

        low = self._exactly(base, place - 1) - 1 if place else 0
        step = max(1, low // 8)
        while not enough(low + step):
            low, step = low + step, 2 * step
            if low > MOST_AVERAGED:
                return MOST_AVERAGED
        return first_between(enough, low, low + step)

    # -- shapes ------------------------------------------------------------------------------------------

    def holding(self, labels: int, most: int) -> Iterator[Shape]:
        """For each base and order, the shape that holds so many labels, if it takes few queries beside the others."""
        for base in self.margins:
            if self.needed(base, self.bits) > most:
                return  # a larger base has a smaller gap
            for order in self._orders(most):
                rounds = 1 if order * base >= labels else self._rounds(labels, base, order)
                shape = self._averaged(base, order, rounds)
                if rounds and shape.queries <= most and (shape.repeats == 1 or rounds == 1):
                    most = min(most, shape.queries + shape.queries // SPARE)
                    yield shape

    def within(self, queries: int) -> Iterator[Shape]:
        """For each base and order, the shape that holds most labels in at most so many queries."""
        for base in self.margins:
            if self.needed(base, self.bits) > queries:
                return
            for order in self._orders(queries):
                shape = self._averaged(base, order, max(1, self._most_rounds(base, order, queries // order)))
                if shape.queries <= queries:
                    yield shape

    def _orders(self, most: int) -> list[int]:
        """Orders of blocks: more than twice as many as there are labels are of no use."""
        choices = orders_to(2 * self.channel.rows)
        return choices[: bisect_right(choices, most)]

    def _rounds(self, labels: int, base: int, order: int) -> int:
        """Rounds for so many labels, where a query is asked once; 0: that is not enough."""
        if self.needed(base, order * self.bits) > order:
            return 0
        return rounds_for(-(-labels // order), base)

    def _most_rounds(self, base: int, order: int, most: int) -> int:
        """Rounds for which a query asked once is enough, and no more than hold all labels; 0: there are none."""
        if self.needed(base, order * self.bits) > order:
            return 0
        every = most if most <= 1 else min(most, rounds_for(-(-self.channel.rows // order), base))
        return largest(lambda rounds: self.needed(base, order * rounds * self.bits) <= order, every)

    def _averaged(self, base: int, order: int, rounds: int) -> Shape:
        """The shape with as many repeats as its averages need; more than one round is never worth repeating."""
        return Shape(base, order, rounds, -(-self.needed(base, max(1, order * rounds) * self.bits) // order))

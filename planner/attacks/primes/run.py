"""Prime attacks: odds are powers of primes, and the score is the logarithm of an integer to be factored.

Row i gives class k the probability p_i^e(k) / Z_i. With q the product of p_i^e(label i) over the block,
exp(-N score) = q / (product of all Z_i), and what divides q tells the labels. With two classes it is class 0 that
has the exponent 1, so that the probability of class 1, the one column that is submitted, is the small one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb, fmpz
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.explained import Allowance, unexplained
from planner.attacks.primes.parameters import PrimePowers
from planner.attacks.scores import exact_score, sums_of
from planner.channel.channel import Channel
from planner.numerics.lockless import cached_property
from planner.numerics.primes import first_primes
from planner.numerics.reals import ball, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query

DECODE_BITS = 160  # working precision for blocks, beyond the product of all their primes
FLOAT_GRID = 53  # multiples of 2^-53 up to 1 are float64


class PrimeAttack(Listed):
    """Blocks of m labels, each block asked once for every block of classes."""

    def __init__(self, id: str, channel: Channel, parameters: PrimePowers) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        self.primes = first_primes(parameters.m)
        self.exact = channel.submission.exact or _finer_than_floats(channel)
        self._row_totals: dict[int, list[int]] = {}
        self._normalisers: dict[tuple[int, int], arb] = {}

    # -- encoding ------------------------------------------------------------------------------------

    def queries(self) -> Iterator[Query]:
        """For every block of labels, one submission a block of classes."""
        for block in range(self._blocks):
            for classes in range(self.parameters.class_blocks):
                yield self._query(block, classes)

    @property
    def _blocks(self) -> int:
        return self.parameters.queries // self.parameters.class_blocks

    def _span(self, block: int) -> tuple[int, int]:
        start = block * self.parameters.m
        return start, min(start + self.parameters.m, self.parameters.labels)

    def exponents(self, classes: int) -> list[int]:
        """e(k) for every class k, in one block of classes."""
        if self.channel.classes == 2:
            return [1, 0]
        powers, first = self.parameters.powers, classes * self.parameters.powers
        return [k - first if first < k <= first + powers else 0 for k in range(self.channel.classes)]

    def _query(self, block: int, classes: int) -> Query:
        from planner.attacks.numbers import idle

        query = idle(self.channel, exact=self.exact)
        start, stop = self._span(block)
        one_column = self.channel.columns == 1
        for k in [1] if one_column else range(self.channel.classes):
            target = query if one_column else query[:, k]
            target[start:stop] = self._column(classes, k)[: stop - start]
        return query

    def _column(self, classes: int, k: int) -> NDArray[Any]:
        """The active rows' entries for class k: exact rationals, or what the format makes of them."""
        e = self.exponents(classes)[k]
        pairs = zip(self.primes, self._totals(classes), strict=True)
        if self.channel.submission.fixed:
            return self._grid_column(classes, k)
        if not self.exact:
            return np.array([prime**e / total for prime, total in pairs])  # a quotient of integers is correctly rounded
        from gmpy2 import mpq

        column = np.empty(len(self.primes), dtype=object)
        column[:] = [mpq(prime**e, total) for prime, total in pairs]
        return column

    def _totals(self, classes: int) -> list[int]:
        """Z_i: the sum of a row's powers."""
        if classes not in self._row_totals:
            exponents = self.exponents(classes)
            outside = exponents.count(0)
            powers = [e for e in exponents if e > 1]
            once = exponents.count(1)
            self._row_totals[classes] = [
                outside + once * prime + sum(prime**e for e in powers) if powers else outside + once * prime
                for prime in self.primes
            ]
        return self._row_totals[classes]

    def _grid_column(self, classes: int, k: int) -> NDArray[Any]:
        from planner.attacks.numbers import is_float, prediction_array

        exponents = self.exponents(classes)
        rows = (self._on_grid([Fraction(prime**e) for e in exponents]) for prime in self.primes)
        entries = [row[k] for row in rows]
        return prediction_array(entries, exact=not all(map(is_float, entries)))

    def _on_grid(self, powers: list[Fraction]) -> list[Fraction]:
        """Entries rounded to the fixed grid, the largest taking what is left so that the row still sums to 1."""
        total = sum(powers, Fraction(0))
        row = [power / total for power in powers]
        half = Fraction(1, 2 ** (self.channel.submission.fraction_bits + 1))
        rounded = [self.channel.submission.round_down(value + half) or Fraction(0) for value in row]
        largest = max(range(len(row)), key=row.__getitem__)
        rounded[largest] = 1 - sum((value for k, value in enumerate(rounded) if k != largest), Fraction(0))
        return rounded

    # -- decoding ------------------------------------------------------------------------------------

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        if self._single:
            return self._decode_single(scores)
        sums = iter(sums_of(self.channel, scores, self.parameters.queries))
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        for block in range(self._blocks):
            start, stop = self._span(block)
            labels[start:stop] = 0
            for classes in range(self.parameters.class_blocks):
                self._merge(labels[start:stop], self._read(next(sums), stop - start, classes), classes)
        if (labels >= self.channel.classes).any():
            raise InconsistentScores("the scores tell a class that does not exist")
        return labels

    def _merge(self, labels: Labels, exponents: NDArray[Any], classes: int) -> None:
        """Exponents of one block of classes into labels; a label lies in at most one block."""
        if self.channel.classes == 2:
            labels[:] = 1 - exponents
            return
        found = exponents > 0
        if (labels[found] != 0).any():
            raise InconsistentScores("a label lies in two blocks of classes")
        labels[found] = exponents[found] + classes * self.parameters.powers

    @property
    def _single(self) -> bool:
        return self.channel.exact_scores and self.parameters.queries == 1

    def _normaliser(self, active: int, classes: int) -> arb:
        """ln of the product of all Z_i, idle rows included; at the one precision that blocks are read at."""
        if (active, classes) not in self._normalisers:
            exponents = self.exponents(classes)
            total = (self.channel.scored - active) * self.channel.neutral_charge()
            for prime in self.primes[:active]:
                total += ball(sum(prime**e for e in exponents)).log()
            self._normalisers[active, classes] = total
        return self._normalisers[active, classes]

    def _read(self, total: Fraction, active: int, classes: int) -> NDArray[Any]:
        """The exponents of one block from one sum of charges."""
        with working(DECODE_BITS + int(self._log2_product)):
            logarithm = self._normaliser(active, classes) - ball(total)
            value = self._nearest(logarithm, active) if self.parameters.decoder == "nearest" else _rounded(logarithm)
            exponents = self._factor(value, active)
            found = ball(value).log()
            if not self._allowance.bears(abs(found - logarithm), self._normaliser(active, classes) - found):
                raise unexplained()
        return exponents

    @cached_property
    def _allowance(self) -> Allowance:
        """E at the largest loss of a block; entries that the format rounded may be off by what the certificate counts."""
        from planner.attacks.primes.certify import prime_deviation, prime_gap

        p = self.parameters
        errors, loss = self.channel.errors(p.queries), self._largest_loss()
        away = arb(0) if p.exact else prime_deviation(self.channel, p)
        gap = prime_gap(p.m, p.powers, p.decoder) - 2 * away
        return Allowance.certified(self.channel, errors, loss, gap, away)

    def _largest_loss(self) -> arb:
        """What a score is at most: every label of a block of a class with exponent 0."""
        most = max((self._normaliser(self.parameters.m, c) for c in range(self.parameters.class_blocks)), key=float)
        return most.upper() / self.channel.scored

    def _nearest(self, logarithm: arb, active: int) -> int:
        logs, values = self._table(active)
        wanted = float(logarithm)
        place = int(np.searchsorted(logs, wanted))
        near = [i for i in (place - 1, place) if 0 <= i < len(logs)]
        return int(values[min(near, key=lambda i: abs(logs[i] - wanted))])

    def _table(self, active: int) -> tuple[NDArray[Any], list[int]]:
        if active not in self._tables:
            values = [1]
            for prime in self.primes[:active]:
                values = [v * prime**e for v in values for e in range(self.parameters.powers + 1)]
            values.sort()
            self._tables[active] = np.array([float(ball(v).log()) for v in values]), values
        return self._tables[active]

    @cached_property
    def _tables(self) -> dict[int, tuple[NDArray[Any], list[int]]]:
        return {}

    def _factor(self, value: int, active: int) -> NDArray[Any]:
        exponents = np.zeros(active, dtype=np.int64)
        rest = value
        for i, prime in enumerate(self.primes[:active]):
            while rest % prime == 0 and rest > 0 and exponents[i] < self.parameters.powers:
                rest //= prime
                exponents[i] += 1
        if rest != 1:
            raise InconsistentScores(f"{value} is no product of the primes in use")
        return exponents

    # -- one exact score for all labels --------------------------------------------------------------

    def _decode_single(self, scores: Iterable[Any]) -> Labels:
        """Theorem 1: one exponential, one rounding, one remainder tree."""
        from planner.attacks.primes.trees import product, product_tree, remainders

        scores = list(scores)
        if len(scores) != 1:
            raise InconsistentScores(f"{len(scores)} scores for 1 query")
        value = self._integer_of(scores[0])
        powers = self.parameters.powers
        rests = remainders(value, product_tree([prime**powers for prime in self.primes]))
        exponents = [_valuation(int(rest), prime, powers) for rest, prime in zip(rests, self.primes, strict=True)]
        if product([prime**e for prime, e in zip(self.primes, exponents, strict=True) if e]) != value:
            raise InconsistentScores("the score is the logarithm of no product of the primes in use")
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        found = np.array(exponents, dtype=np.int64)
        labels[: len(found)] = 1 - found if self.channel.classes == 2 else found
        return labels

    def _integer_of(self, score: Any) -> Any:
        """The product of all Z_i times exp(-N score), which must be next to an integer."""
        from gmpy2 import mpz

        from planner.attacks.primes.trees import product

        bits = int(self._log2_product) + 64
        with working(bits + self.channel.rows.bit_length() + 64):
            exact = score if hasattr(score, "mid") else ball(exact_score(score))
            total = product(self._totals(0))
            idle = fmpz(self.channel.classes) ** (self.channel.scored - len(self.primes))
            value = arb(fmpz(int(total))) * arb(idle) * (-(exact * self.channel.scored)).exp()
            if not value.is_finite():
                raise InconsistentScores("the score is no finite number")
            nearest = (value.mid() + arb(0.5)).floor().unique_fmpz()
            if nearest is None or nearest < 1 or not abs(value - nearest) < arb(0.5):
                raise InconsistentScores("the score is too coarse, or no score of this submission")
        return mpz(int(nearest))

    @cached_property
    def _log2_product(self) -> float:
        from math import log2

        return sum(self.parameters.powers * log2(prime) + 2 for prime in self.primes)


def _finer_than_floats(channel: Channel) -> bool:
    return channel.submission.fraction_bits > FLOAT_GRID


def _rounded(logarithm: arb) -> int:
    value = (logarithm.exp() + arb(0.5)).mid().floor().unique_fmpz()
    if value is None or value < 1:
        raise InconsistentScores("the score is no logarithm of a positive integer")
    return int(value)


def _valuation(rest: int, prime: int, most: int) -> int:
    """The exponent of the prime in a number known modulo prime^most."""
    if rest == 0:
        return most
    exponent = 0
    while rest % prime == 0:
        rest //= prime
        exponent += 1
    return exponent

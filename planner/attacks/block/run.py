"""Block attacks: a few active rows a query, all others uniform; one score tells the block's labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from planner.attacks.attack import Attack, InconsistentScores, Listed
from planner.attacks.block.certify import block_loss, smallest_gap
from planner.attacks.block.parameters import BlockRecord, DyadicWeights, GeometricOdds, ListedBlock
from planner.attacks.explained import Allowance
from planner.attacks.inequalities import widening
from planner.attacks.numbers import idle, is_float, prediction_array
from planner.attacks.scores import sums_of
from planner.channel.channel import Channel
from planner.designs.base import DesignError
from planner.designs.sets import BitSet
from planner.numerics.lockless import cached_property
from planner.numerics.reals import lower, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query

DECODE_BITS = 256  # working precision for the margin, beyond what the channel's finest step asks for
ERROR_PARTS = 16  # a unit of the decoder's integers is a smaller part than this of the certified error
SAFE = 2**60  # integers below this can be added in int64


class BlockReader:
    """Reads the labels of a block from a sum of charges.

    With core = 0 weights are superincreasing, and read off from the largest down. Otherwise they lie near integer
    multiples of one gap whose levels have distinct subset sums, and sums are rounded to the nearest level. The
    arithmetic is exact: sums, weights and constants are integers in units of 2^-scale, fine against the gap. `known`
    other rows are predicted confidently and rightly, each with the small prediction `doubt`; the rest are neutral.
    """

    def __init__(
        self,
        channel: Channel,
        queries: int,
        rows: tuple[Fraction, ...],
        core: int = 0,
        known: int = 0,
        doubt: Fraction = Fraction(0),
    ) -> None:
        self.channel = channel
        self.rows = rows
        self.core = core
        self.known = known
        self.doubt = doubt
        self.tilted = core == 0  # under noise that grows with the loss, thresholds lie nearer to the smaller sum
        self.errors = channel.errors(queries)

    def _loss(self) -> arb:
        """The largest loss that a query can show."""
        return block_loss(self.channel, self.rows, self.known, self.doubt)

    def _gap(self) -> arb:
        return smallest_gap(self.channel.metric, self.rows, self.core)

    @cached_property
    def scale(self) -> int:
        """Binary digits after the point: the reader's own rounding takes a small part of the proved margin.

        And of the error, where there is one: what is left of a score is held against it.
        """
        with working(DECODE_BITS + self.channel.working_bits + 2 * len(self.rows)):
            error = self.errors.sum_error(self._loss())
            margin = widening(self.channel, self.tilted) * self._gap() - 2 * error
            usable = margin if margin > 0 else self._gap() / 2
            if error > 0:
                usable = usable.min(error / ERROR_PARTS)
            return max(0, (len(self.rows) + 4).bit_length() + 3 - _exponent(usable))

    @cached_property
    def weights(self) -> list[int]:
        """t(1) - t(0) of each active row, scaled."""
        with working(self._bits):
            return [self._integer(self.channel.metric.weight(p)) for p in self.rows]

    @cached_property
    def _bits(self) -> int:
        with working(self.channel.working_bits):
            heaviest = max(0, _exponent(self.channel.metric.weight(self.rows[-1])))
        return self.scale + self.channel.rows.bit_length() + heaviest + 40

    def _integer(self, value: arb) -> int:
        return int((value * arb(2) ** self.scale).mid().floor().unique_fmpz())

    def _constant(self, active: int) -> int:
        """The sum of charges when every active label is 0, scaled."""
        metric = self.channel.metric
        with working(self._bits):
            total = (self.channel.scored - self.known - active) * self.channel.neutral_charge()
            total += self.known * metric.light(self.doubt)
            for p in self.rows[:active]:
                total += metric.light(p)
            return self._integer(total)

    def read(self, labels: Labels, sums: Sequence[Fraction], active: int, start: int) -> None:
        """Decode blocks of `active` labels each into `labels` from `start` on."""
        if not sums:
            return
        constant = self._constant(active)
        scaled = self.weights[:active]
        units = ((total.numerator << self.scale) // total.denominator for total in sums)
        rest = _integers([total - constant for total in units] + [sum(scaled)])[:-1]
        weights = _integers(scaled, like=rest)
        bits, rest = self._levels(rest, weights) if self.core else self._digits(rest, weights)
        # Weights, constant and sum lose less than a unit each in being rounded down.
        self._allowance.require(rest, bits @ weights, self.scale, len(self.rows) + 2, constant)
        labels[start : start + bits.size] = bits.reshape(-1)

    def _digits(self, rest: NDArray[Any], weights: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The labels behind each sum, largest weight first, and what they leave."""
        bits = np.zeros((len(rest), len(weights)), dtype=weights.dtype)
        low = sum(weights.tolist())
        for i in range(len(weights) - 1, -1, -1):
            low -= weights[i]
            bits[:, i] = rest > self._threshold(low, weights[i])
            rest = rest - bits[:, i] * weights[i]
        return bits, rest

    def _levels(self, rest: NDArray[Any], weights: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        """The same by rounding to levels."""
        levels = BitSet(self.core, len(self.rows) - self.core)
        gap = Fraction(self.weights[-1], levels.maximum)
        nearest = _integers([round(value / gap) for value in rest.tolist()])
        try:
            bits = levels.digits(nearest)[:, : len(weights)].astype(weights.dtype)
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        return bits, rest - bits @ weights

    def _threshold(self, low: Any, weight: Any) -> int:
        """Midway between the largest sum without the label and the smallest with it, both as noise may show them."""
        middle, tilt = int(low) + int(weight), self.channel.law.tilt
        return int((middle - tilt * (int(weight) - int(low))) / 2) if tilt else middle // 2

    @cached_property
    def _allowance(self) -> Allowance:
        """What is left after subtracting the decoded weights must be an error that the channel allows."""
        with working(self._bits):
            gap = widening(self.channel, self.tilted) * self._gap()
            return Allowance.certified(self.channel, self.errors, self._loss(), gap)


class BlockAttack(Listed):
    """One submission a block of labels."""

    def __init__(self, id: str, channel: Channel, queries: int, labels: int, reader: BlockReader) -> None:
        self.id = id
        self.channel = channel
        self.asked = queries
        self.labels = labels
        self.reader = reader
        self.exact = not all(is_float(p) for p in reader.rows)

    def queries(self) -> Iterator[Query]:
        """One submission a block of labels."""
        rows = self.reader.rows
        small = prediction_array(rows, exact=self.exact)
        large = prediction_array([1 - p for p in rows], exact=self.exact)
        for block in range(self.asked):
            yield self._query(block, small, large)

    def _query(self, block: int, small: Query, large: Query) -> Query:
        query = idle(self.channel, exact=self.exact)
        start = block * len(small)
        stop = min(start + len(small), self.labels)
        if self.channel.columns == 1:
            query[start:stop] = small[: stop - start]
        else:
            query[start:stop, 1] = small[: stop - start]
            query[start:stop, 0] = large[: stop - start]
        return query

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        sums = sums_of(self.channel, scores, self.asked)
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        m = len(self.reader.rows)
        full = self.labels // m
        self.reader.read(labels, sums[:full], m, 0)
        if full < self.asked:
            self.reader.read(labels, sums[full:], self.labels - full * m, full * m)
        return labels


def _integers(values: list[int], like: NDArray[Any] | None = None) -> NDArray[Any]:
    """An array of int64 where sums of them cannot overflow, else of Python integers."""
    large = (like is not None and like.dtype == object) or any(abs(value) >= SAFE for value in values)
    array = np.empty(len(values), dtype=object if large else np.int64)
    array[:] = values
    return array


def _exponent(value: arb) -> int:
    """floor(log2) of a positive number, or one less."""
    exact = lower(value)
    return exact.numerator.bit_length() - exact.denominator.bit_length() - 1


def build_block(id: str, channel: Channel, parameters: BlockRecord) -> Attack:
    """The attack for any of the three ways to describe a block."""
    match parameters:
        case ListedBlock(rows=rows, core=core):
            reader = BlockReader(channel, parameters.queries, rows, core)
        case GeometricOdds(m=m, base=base, exponent=exponent):
            odds = [base ** (exponent << i) for i in range(m)]
            reader = BlockReader(channel, parameters.queries, tuple(Fraction(1, 1 + v) for v in odds))
        case DyadicWeights(m=m, bits=bits, shift=shift):
            reader = BlockReader(channel, parameters.queries, dyadic_rows(m, bits, shift), core=1)
    return BlockAttack(id, channel, parameters.queries, parameters.labels, reader)


def dyadic_rows(m: int, bits: int, shift: int) -> tuple[Fraction, ...]:
    """Probabilities of `bits` binary digits with log-odds near 2^(i-m+1-shift)."""
    rows = []
    with working(bits + 16):
        for i in range(m):
            p = 1 / (1 + (arb(2) ** (i - m + 1 - shift)).exp())
            rows.append(Fraction(int((p * arb(2) ** bits).mid().floor().unique_fmpz()), 2**bits))
    return tuple(rows)

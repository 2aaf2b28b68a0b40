"""Block attacks: a few active rows a query, all others uniform; one score tells the block's labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from flint import arb, ctx

from dsl.scenario import Multiplicative
from planner.attack import Attack, InconsistentScores
from planner.attacks.numbers import idle, is_float, prediction_array
from planner.attacks.scores import sums_of
from planner.channel import Channel
from planner.grid import weight_of
from planner.parameters import DyadicWeights, GeometricOdds, ListedBlock
from planner.reals import ball, lower, upper

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.attack import Labels, Query, ScoreFunction

GUARD_BITS = 14  # the decoder's integers resolve the smallest gap this finely


class BlockAttack:
    """Superincreasing weights, read off from the largest down.

    The arithmetic is exact: sums, weights and the constant are integers in units of 2^-scale, fine against the gap.
    """

    adaptive = False

    def __init__(
        self, id: str, channel: Channel, queries: int, labels: int, rows: tuple[Fraction, ...]
    ) -> None:
        self.id = id
        self.channel = channel
        self.asked = queries
        self.labels = labels
        self.rows = rows
        self.exact = not all(is_float(p) for p in rows)

    # -- encoding ------------------------------------------------------------------------------------

    def queries(self) -> Iterator[Query]:
        """One submission a block of labels."""
        small = prediction_array(self.rows, exact=self.exact)
        large = prediction_array([1 - p for p in self.rows], exact=self.exact)
        for block in range(self.asked):
            yield self._query(block, small, large)

    def _query(self, block: int, small: Query, large: Query) -> Query:
        query = idle(self.channel.N, self.channel.columns, exact=self.exact)
        start, stop = self._span(block)
        if self.channel.columns == 1:
            query[start:stop] = small[: stop - start]
        else:
            query[start:stop, 1] = small[: stop - start]
            query[start:stop, 0] = large[: stop - start]
        return query

    def _span(self, block: int) -> tuple[int, int]:
        start = block * len(self.rows)
        return start, min(start + len(self.rows), self.labels)

    # -- decoding ------------------------------------------------------------------------------------

    @cached_property
    def scale(self) -> int:
        """Binary digits after the point of the decoder's integers."""
        return max(0, GUARD_BITS - _exponent(weight_of(self.rows[0])))

    @cached_property
    def weights(self) -> list[int]:
        """t(1) - t(0) of each active row, scaled."""
        with ctx.workprec(self.scale + self._integer_bits + 32):
            return [self._integer(weight_of(p)) for p in self.rows]

    def _integer(self, value: arb) -> int:
        return int((value * arb(2) ** self.scale).mid().floor().unique_fmpz())

    @cached_property
    def _integer_bits(self) -> int:
        return max(8, self.channel.N.bit_length() + _exponent(weight_of(self.rows[-1])) + 4)

    def _constant(self, active: int) -> int:
        """The sum of charges when every active label is 0, scaled."""
        with ctx.workprec(self.scale + self._integer_bits + 32):
            total = (self.channel.N - active) * arb(2).log()
            for p in self.rows[:active]:
                total -= ball(1 - p).log()
            return self._integer(total)

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        import numpy as np

        sums = sums_of(self.channel, scores, self.asked)
        scaled = [(total.numerator << self.scale) // total.denominator for total in sums]
        labels = np.full(self.channel.N, -1, dtype=np.int64)
        m = len(self.rows)
        full = self.labels // m
        self._read(labels, scaled[:full], m, 0)
        if full < self.asked:
            self._read(labels, scaled[full:], self.labels - full * m, full * m)
        return labels

    def _read(self, labels: Labels, sums: list[int], active: int, start: int) -> None:
        """Decode blocks of `active` labels each into `labels` from `start` on."""
        if not sums:
            return
        import numpy as np

        constant = self._constant(active)
        weights = self.weights[:active]
        rest = self._array([total - constant for total in sums], sum(weights))
        bits = np.empty((len(sums), active), dtype=np.int64)
        low = sum(weights)
        for i in range(active - 1, -1, -1):
            low -= weights[i]
            bits[:, i] = rest > self._threshold(low, weights[i])
            rest = rest - bits[:, i] * weights[i]
        self._verify(rest, bits, weights, constant)
        labels[start : start + bits.size] = bits.reshape(-1)

    def _array(self, values: list[int], span: int) -> NDArray[Any]:
        """int64 where nothing can overflow; values far outside fit no labeling anyway."""
        import numpy as np

        if span.bit_length() > 60 or any(abs(value).bit_length() > 60 for value in values):
            array = np.empty(len(values), dtype=object)
            array[:] = values
            return array
        return np.array(values, dtype=np.int64)

    def _threshold(self, low: int, weight: int) -> int:
        """Midway between the largest sum without the label and the smallest with it, both as noise may show them."""
        middle = low + weight
        noise = self.channel.noise
        if isinstance(noise, Multiplicative):
            alpha = noise.alpha.hi
            return int((middle - alpha * (weight - low)) / 2)
        return middle // 2

    def _verify(self, rest: NDArray[Any], bits: NDArray[Any], weights: list[int], constant: int) -> None:
        """What is left after subtracting the decoded weights must be an error that the channel allows."""
        errors = self.channel.errors(self.asked)
        base = self._scale_up(errors.sum_error(arb(0)) + self._slack(errors))
        share = upper(errors.relative())
        object_bits = bits.astype(object) if rest.dtype == object else bits
        spent = [constant + int(each) for each in object_bits @ self._array(weights, sum(weights))]
        for value, total in zip(rest.tolist(), spent, strict=True):
            if abs(value) > base + share * max(total, 0):
                raise InconsistentScores(
                    "a score fits no labeling within the error that this attack was certified for"
                )

    def _slack(self, errors: Any) -> arb:
        """Room for digits shown, and for the decoder's own rounding."""
        loss = arb(2).log() + 2 * weight_of(self.rows[-1]) / self.channel.N
        extra = errors.sum_error(loss) - errors.sum_error(arb(0)) - errors.relative() * loss * self.channel.N
        rounding = weight_of(self.rows[0]) / 2**6
        return extra.max(arb(0)) + rounding

    def _scale_up(self, value: arb) -> int:
        return int(upper(value) * 2**self.scale) + 1

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask and decode."""
        return self.decode(score(query) for query in self.queries())


class LeveledAttack(BlockAttack):
    """Weights near integer multiples of one gap, whose levels have distinct subset sums."""

    def __init__(
        self, id: str, channel: Channel, queries: int, labels: int, rows: tuple[Fraction, ...], core: int
    ) -> None:
        super().__init__(id, channel, queries, labels, rows)
        from planner.designs.sets import BitSet

        self.levels = BitSet(core, len(rows) - core)

    @cached_property
    def scale(self) -> int:
        """Fine against the gap of the levels."""
        return max(0, GUARD_BITS - _exponent(weight_of(self.rows[-1]) / self.levels.maximum))

    def _read(self, labels: Labels, sums: list[int], active: int, start: int) -> None:
        if not sums:
            return
        import numpy as np

        from planner.designs.base import DesignError

        constant = self._constant(active)
        weights = self.weights[:active]
        gap = Fraction(self.weights[-1], self.levels.maximum)
        levels = [round((total - constant) / gap) for total in sums]
        try:
            bits = self.levels.digits(self._array(levels, self.levels.maximum * 2))[:, :active].astype(
                np.int64
            )
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        rest = self._array([total - constant for total in sums], sum(weights))
        rest = rest - bits @ self._array(weights, sum(weights))
        self._verify(rest, bits, weights, constant)
        labels[start : start + bits.size] = bits.reshape(-1)


def _exponent(value: arb) -> int:
    """floor(log2) of a positive number, or one less."""
    exact = lower(value)
    return exact.numerator.bit_length() - exact.denominator.bit_length() - 1


def build_block(id: str, channel: Channel, parameters: ListedBlock | GeometricOdds | DyadicWeights) -> Attack:
    """The attack for any of the three ways to describe a block."""
    queries, labels = parameters.queries, parameters.labels
    match parameters:
        case ListedBlock(rows=rows, core=core):
            if core:
                return LeveledAttack(id, channel, queries, labels, rows, core)
            return BlockAttack(id, channel, queries, labels, rows)
        case GeometricOdds(m=m, base=base, exponent=exponent):
            odds = [base ** (exponent << i) for i in range(m)]
            return BlockAttack(id, channel, queries, labels, tuple(Fraction(1, 1 + v) for v in odds))
        case DyadicWeights(m=m, bits=bits):
            return LeveledAttack(id, channel, queries, labels, dyadic_rows(m, bits), 1)


def dyadic_rows(m: int, bits: int) -> tuple[Fraction, ...]:
    """Probabilities of `bits` binary digits with log-odds near 2^(i-m+1)."""
    rows = []
    with ctx.workprec(bits + 16):
        for i in range(m):
            p = 1 / (1 + (arb(2) ** (i - m + 1)).exp())
            rows.append(Fraction(int((p * arb(2) ** bits).mid().floor().unique_fmpz()), 2**bits))
    return tuple(rows)

"""Random signs, as they run: the sums of all labelings of either half of the labels are brought together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import ceil, floor, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores
from planner.attacks.consistent.run import ConsistentAttack, Pass
from planner.attacks.signs.parameters import SignedLabels
from planner.channel.metrics.base import Level

MOST_LABELS = 40  # of which either half is written out
MOST_KEYS = 4096  # sums of one half that are looked up for a sum of the other
DIGIT = 64  # a sum of so few signs is a digit of a key


class SignsAttack(ConsistentAttack):
    """A pass for each bit of a class."""

    parameters: SignedLabels

    def _passes(self) -> Iterator[Pass]:
        return (SignedPass(self.parameters, bit, self._unit) for bit in range(self.parameters.bits))


class SignedPass(Pass):
    """One bit of every label."""

    def rows(self) -> Iterator[tuple[list[Level], NDArray[Any]]]:
        """The levels of every query, and which of them each row has: idle, or favoured by its sign."""
        p, values = self.parameters, self.blocks.values
        coins = np.random.default_rng([p.seed, self.bit])
        even = np.full(p.rows, int(np.searchsorted(values, 0)), dtype=np.intp)
        for _ in range(p.order):
            levels = self.offset_levels(coins)
            codes = even.copy()
            codes[: p.labels] = np.searchsorted(values, 2 * coins.integers(0, 2, p.labels) - 1)
            yield levels, codes

    def decode(self, scores: NDArray[Any], tolerance: float) -> NDArray[Any]:
        """The labeling that explains every score."""
        p = self.parameters
        if p.labels > MOST_LABELS:
            raise ValueError(f"2^{p.labels} labelings are too many to compare here: {MOST_LABELS} labels at most")
        measured = self.measured(scores)[:, 0]
        signs = np.array([self.blocks.values[codes[: p.labels]] for _, codes in self.rows()], dtype=np.int16)
        return explaining(signs, measured, tolerance)


def explaining(signs: NDArray[Any], measured: NDArray[Any], tolerance: float) -> NDArray[Any]:
    """The first labeling whose signed sums are all within the tolerance of what was measured."""
    left, right = (_sums(part) for part in np.array_split(signs, 2, axis=1))
    choices = [range(ceil(one - tolerance), floor(one + tolerance) + 1) for one in measured]
    keyed = _keyed(choices)
    keys = _key(right[:, keyed])
    order = np.argsort(keys, kind="stable")
    for sums in product(*(choices[t] for t in keyed)):
        rest = np.array(sums) - left[:, keyed]
        possible = np.flatnonzero((np.abs(rest) < DIGIT // 2).all(axis=1))
        wanted = _key(rest[possible])
        first, after = (np.searchsorted(keys[order], wanted, side) for side in ("left", "right"))
        for at in np.flatnonzero(after > first):
            one, others = possible[at], order[first[at] : after[at]]
            fits = (np.abs(left[one] + right[others] - measured) <= tolerance).all(axis=1)
            if fits.any():
                count = signs.shape[1]
                other = int(others[np.flatnonzero(fits)[0]])
                return np.concatenate([_bits(int(one), count - count // 2), _bits(other, count // 2)])
    raise InconsistentScores("no labeling explains the scores: is there noise?")


def _sums(signs: NDArray[Any]) -> NDArray[Any]:
    """Of every labeling of these labels, by its number, the sum of every query."""
    sums = np.zeros((1, len(signs)), dtype=np.int16)
    for column in signs.T:
        sums = np.concatenate([sums, sums + column])
    return sums


def _bits(number: int, count: int) -> NDArray[Any]:
    return np.array([number >> at & 1 for at in range(count)], dtype=np.int64)


def _keyed(choices: list[range]) -> list[int]:
    """Queries of the fewest possible sums, as many as keys allow."""
    found: list[int] = []
    for t in sorted(range(len(choices)), key=lambda t: len(choices[t])):
        if len(found) == 10 or prod(len(choices[one]) for one in (*found, t)) > MOST_KEYS:
            break
        found.append(t)
    return found


def _key(sums: NDArray[Any]) -> NDArray[Any]:
    """Sums, each a digit between -DIGIT/2 and DIGIT/2, as one number."""
    key = np.zeros(len(sums), dtype=np.int64)
    for column in sums.T:
        key = key * DIGIT + column + DIGIT // 2
    return key

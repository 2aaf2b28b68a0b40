"""Power sums modulo a prime: with c wrong guesses, c of them determine the rows, by Newton's identities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores
from planner.attacks.splitting.bound import digits_of
from planner.attacks.splitting.nodes import Node


@dataclass(frozen=True)
class PowerDigit:
    """One query: a digit of the k-th power of each open row's number, to the base amplitude + 1, less its middle."""

    nodes: tuple[Node, ...]
    prime: int
    amplitude: int
    power: int
    digit: int

    def weights(self, positions: NDArray[Any]) -> NDArray[Any]:
        """Twice the digit, less the amplitude; rows that are settled are idle."""
        base = self.amplitude + 1
        residues = _power(positions % self.prime, self.power, self.prime)
        digits = residues // base**self.digit % base if base**self.digit < self.prime else np.zeros_like(residues)
        weighed: NDArray[Any] = np.where(_inside(self.nodes, positions), 2 * digits - self.amplitude, 0)
        return weighed

    @property
    def back(self) -> int:
        """Half the amplitude for every wrong guess."""
        return self.amplitude * sum(node.ones for node in self.nodes)


def power_weighings(nodes: Sequence[Node], prime: int, amplitude: int) -> Iterator[PowerDigit]:
    """The digits of the first c powers."""
    held = tuple(nodes)
    for power in range(1, sum(node.ones for node in held) + 1):
        for digit in range(digits_of(prime, amplitude)):
            yield PowerDigit(held, prime, amplitude, power, digit)


def rows_of(answers: Sequence[int], nodes: Sequence[Node], prime: int, amplitude: int) -> NDArray[Any]:
    """The wrong rows behind the digit sums of their powers; raises where none fit."""
    digits, base = digits_of(prime, amplitude), amplitude + 1
    sums = [
        sum(answer * base**place for place, answer in enumerate(answers[start : start + digits])) % prime
        for start in range(0, len(answers), digits)
    ]
    symmetric = _elementary(sums, prime)
    rows = np.concatenate([np.arange(node.start, node.start + node.rows) for node in nodes])
    value = np.zeros(len(rows), dtype=np.int64)
    for k, coefficient in enumerate(symmetric):
        value = (value * rows + (-1) ** k * coefficient) % prime
    found: NDArray[Any] = rows[value == 0]
    if len(found) != len(sums):
        raise InconsistentScores("the power sums are those of no rows")
    return found


def _elementary(sums: Sequence[int], prime: int) -> list[int]:
    """Newton: k e_k is the sum of (-1)^(i-1) e_(k-i) p_i."""
    found = [1]
    for k in range(1, len(sums) + 1):
        total = sum((-1) ** (i - 1) * found[k - i] * sums[i - 1] for i in range(1, k + 1))
        found.append(total * pow(k, -1, prime) % prime)
    return found


def _power(numbers: NDArray[Any], exponent: int, prime: int) -> NDArray[Any]:
    """Powers modulo the prime, by squaring; its square is certified to be below 2^60, so that no product overflows."""
    found = np.ones_like(numbers)
    while exponent:
        if exponent & 1:
            found = found * numbers % prime
        numbers, exponent = numbers * numbers % prime, exponent >> 1
    return found


def _inside(nodes: Sequence[Node], positions: NDArray[Any]) -> NDArray[Any]:
    """Which rows are in a node; nodes are disjoint."""
    ordered = sorted(nodes, key=lambda node: node.start)
    starts = np.array([node.start for node in ordered], dtype=np.int64)
    rows = np.array([node.rows for node in ordered], dtype=np.int64)
    number = np.searchsorted(starts, positions, side="right") - 1
    inside: NDArray[Any] = (number >= 0) & (positions - starts[number] < rows[number])
    return inside

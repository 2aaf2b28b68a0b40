"""Averages under a free random offset, as they run.

A round of h scores gives h sums, each the mean of h errors off. Rounded to integers they explain every score of the round,
unless one or two of them were nearer to a neighbour: then only their flips do.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.consistent.certify import ROOM_BITS, moved, noise_bound
from planner.attacks.consistent.parameters import ConsistentSpread
from planner.attacks.levels import Rows
from planner.attacks.scores import exact_score
from planner.attacks.spread.blocks import Blocks
from planner.channel.channel import Channel
from planner.channel.metrics.base import Level
from planner.channel.sides import Sides, sides_of
from planner.designs.base import DesignError
from planner.designs.hadamard import row, transform
from planner.numerics.reals import ball, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query

ROOM = 1 + 2.0**-ROOM_BITS
TELLING = 48  # scores, those that miss by most, that a flip has to explain before the others are looked at


class ConsistentAttack(Listed):
    """A pass for each bit of a class; within it round by round, row by row of the matrix."""

    def __init__(self, id: str, channel: Channel, parameters: ConsistentSpread) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        self.tolerance = tolerance_of(channel, parameters)

    def queries(self) -> Iterator[Query]:
        """Each with an offset of its own."""
        for one in self._passes():
            for levels, codes in one.rows():
                yield Rows(levels, codes, one.sides).submission(self.parameters.columns)

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels; InconsistentScores where no single flip explains every score of a round."""
        p = self.parameters
        given = np.array([float(exact_score(score) - self.channel.centre) for score in scores])
        if len(given) != p.queries:
            raise InconsistentScores(f"{p.queries} scores are needed, {len(given)} were given")
        labels = np.zeros(p.labels, dtype=np.int64)
        for one, part in zip(self._passes(), given.reshape(p.bits, -1), strict=True):
            labels += one.decode(part, self.tolerance) << one.bit
        if int(labels.max(initial=0)) >= p.classes:
            raise InconsistentScores("the bits spell a class that does not exist: is there noise?")
        return np.append(labels, np.full(p.rows - p.labels, -1))

    def _passes(self) -> Iterator[Pass]:
        return (Pass(self.parameters, bit, self._unit) for bit in range(self.parameters.bits))

    @property
    def _unit(self) -> Fraction:
        """The last decimal; 0: scores are not rounded, and need no offset."""
        return self.channel.digits.unit or Fraction(0)


def tolerance_of(channel: Channel, p: ConsistentSpread) -> float:
    """How far a score may be off, in gaps: half a cell, noise within its bound, and what moves a sum."""
    with working(channel.working_bits):
        noise = p.rows * noise_bound(channel, p) / ball(p.gap)
        hidden = ball(p.half_cell(channel.digits.unit or Fraction(0)))
        return float(upper(hidden + noise + moved(channel, p))) * ROOM


class Pass:
    """One bit of every label."""

    def __init__(self, parameters: ConsistentSpread, bit: int, unit: Fraction, sides: Sides | None = None) -> None:
        self.parameters = parameters
        self.unit = unit
        self.bit = bit
        self.sides = sides_of(parameters.classes, bit) if sides is None else sides
        self.blocks = Blocks(parameters, parameters.labels, self.sides)
        self._gap = float(parameters.gap)

    def rows(self) -> Iterator[tuple[list[Level], NDArray[Any]]]:
        """The levels of every query, and which of them each row has."""
        p, blocks = self.parameters, self.blocks
        coins = np.random.default_rng([p.seed, self.bit])
        for t in range(p.rounds):
            for tau in range(p.order):
                levels = self.offset_levels(coins)
                yield levels, blocks.codes(blocks.entries(t, row(p.order, tau)), blocks.values)

    def offset_levels(self, coins: np.random.Generator) -> list[Level]:
        """The predictions of one query, by their entries, under an offset of its own."""
        large = float(self.parameters.large)
        start = -log(large) + coins.random() * float(self.unit)
        return [_level(start, int(value), self._gap, large) for value in self.blocks.values]

    def decode(self, scores: NDArray[Any], tolerance: float) -> NDArray[Any]:
        """The bit of every label."""
        measured = self.measured(scores)
        sums = np.array([self._read(measured[:, t], tolerance) for t in range(self.parameters.rounds)]).T
        labels = np.zeros(self.blocks.count, dtype=np.int64)
        for block in range(self.blocks.used):
            inside = self.blocks.inside(block)
            try:
                labels[inside] = self.blocks.design.decode(sums[block], inside.stop - inside.start)
            except DesignError as fault:
                raise InconsistentScores(f"block {block}: {fault}") from fault
        if np.abs(measured - transform(self.blocks.sums(labels))).max() > tolerance:
            raise InconsistentScores("the labels found do not explain all scores: is there noise?")
        return labels

    def measured(self, scores: NDArray[Any]) -> NDArray[Any]:
        """The weighted sums in gaps, each with its error, (order, rounds)."""
        p, blocks = self.parameters, self.blocks
        found = np.zeros((p.rounds, p.order))
        idle = int(np.searchsorted(blocks.values, 0))
        for at, (score, (levels, codes)) in enumerate(zip(scores, self.rows(), strict=True)):
            charge = blocks.charge(levels, codes) + (p.rows - blocks.count) * levels[idle].zero
            found.flat[at] = (charge - p.rows * score) / self._gap
        return found.T

    def _read(self, measured: NDArray[Any], tolerance: float) -> NDArray[Any]:
        """The integers behind one round: the nearest ones, or those whose flips explain every score."""
        means = transform(measured, transposed=True) / len(measured)
        means[self.blocks.used :] = 0  # nothing is in there: an error of theirs is none, and no flip could mend it
        nearest = np.rint(means)
        left = measured - transform(nearest)
        if np.abs(left).max() <= tolerance or not self.parameters.repairs:
            return nearest.astype(np.int64)
        step = np.where(means < nearest, -1, 1)
        flips = self._flips(left, step, np.abs(means - nearest), tolerance)
        nearest[flips] += step[flips]
        return nearest.astype(np.int64)

    def _flips(self, left: NDArray[Any], step: NDArray[Any], residual: NDArray[Any], tolerance: float) -> list[int]:
        """The one sum whose flip explains every score, or two of them, the doubtful ones first."""
        order, used = len(left), self.blocks.used
        few = np.argsort(-np.abs(left))[:TELLING]
        moves = np.array([row(order, int(tau))[:used] for tau in few]) * step[:used]

        def explain(rest: NDArray[Any], there: NDArray[Any]) -> list[int]:
            likely = np.flatnonzero((np.abs(there[:, None] - moves) <= tolerance).all(axis=0))
            return [int(b) for b in likely if np.abs(rest - step[b] * column(order, int(b))).max() <= tolerance]

        alone = explain(left, left[few])
        if len(alone) == 1:
            return alone
        if not alone and self.parameters.repairs > 1:
            for one in np.argsort(-residual[:used]):
                rest = left - step[one] * column(order, int(one))
                for other in explain(rest, rest[few]):
                    if other != one:
                        return [int(one), other]
        raise InconsistentScores("no sums in doubt make up for what the others leave: is there noise?")


def column(order: int, block: int) -> NDArray[Any]:
    """A column of the Hadamard matrix."""
    alone = np.zeros(order)
    alone[block] = 1
    return transform(alone)


def _level(start: float, value: int, gap: float, largest: float) -> Level:
    """The favoured side at the offset's own charge, the other one |value| gaps above it; both alike where value is 0.

    No rounding takes an entry above the largest one, which a clip would.
    """
    light, heavy = (min(exp(-charge), largest) for charge in (start, start + abs(value) * gap))
    paid, saved = -log(heavy), -log(light)
    return Level(heavy, light, paid, saved) if value > 0 else Level(light, heavy, saved, paid)

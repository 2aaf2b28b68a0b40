"""Averages under weights of random size, as they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import exp, log1p
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.amplitude.certify import TOLERANCE, moved_before, noise_bound, own_error
from planner.attacks.amplitude.parameters import UNIFORMS, AmplitudeSpread
from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.consistent.run import column
from planner.attacks.levels import Rows
from planner.attacks.scores import exact_score
from planner.attacks.spread.blocks import Blocks
from planner.channel.channel import Channel
from planner.designs.base import DesignError
from planner.designs.hadamard import row, transform
from planner.numerics.reals import ball, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query


class AmplitudeAttack(Listed):
    """Labels with random signs; round by round, row by row of the matrix, each with a gap of its own."""

    def __init__(self, id: str, channel: Channel, parameters: AmplitudeSpread) -> None:
        p = parameters
        self.id = id
        self.channel = channel
        self.parameters = p
        self.blocks = Blocks(p, p.labels)
        coins = np.random.default_rng(p.seed)
        self.turned = coins.integers(0, 2, p.labels)  # columns that hold 1 - label
        drawn = coins.random((p.queries, UNIFORMS)).mean(axis=1)
        self.gaps = (float(p.least) + float(p.width) * drawn).reshape(p.rounds, p.order)
        self.tolerance = tolerance_of(channel, p)

    def queries(self) -> Iterator[Query]:
        """The submissions."""
        p, even = self.parameters, int(np.searchsorted(self.blocks.values, 0))
        idle = np.full(p.rows - p.labels, even)
        for _, _, gap, codes in self._codes():
            levels = self.blocks.levels(self.blocks.values, gap)
            yield Rows(levels, np.append(codes, idle)).submission(p.columns)

    def _codes(self) -> Iterator[tuple[int, int, float, NDArray[Any]]]:
        """Levels by column, for every query."""
        sign, p = 1 - 2 * self.turned, self.parameters
        for t in range(p.rounds):
            for tau in range(p.order):
                entries = self.blocks.entries(t, row(p.order, tau)).reshape(-1)[: p.labels] * sign
                yield tau, t, float(self.gaps[t, tau]), np.searchsorted(self.blocks.values, entries)

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels; InconsistentScores where no labeling explains every score."""
        p = self.parameters
        given = np.array([float(exact_score(score) - self.channel.centre) for score in scores])
        if len(given) != p.queries:
            raise InconsistentScores(f"{p.queries} scores are needed, {len(given)} were given")
        measured = self._measured(given)
        columns = self._read(np.array([self._sums(measured[:, t], t) for t in range(p.rounds)]).T)
        left = np.abs(measured - transform(self.blocks.sums(columns))) * self.gaps.T
        if not float(left.max()) <= p.rows * self.tolerance:
            raise InconsistentScores("the labels found do not explain all scores: is there noise?")
        return np.append(columns ^ self.turned, np.full(p.rows - p.labels, -1))

    def _measured(self, scores: NDArray[Any]) -> NDArray[Any]:
        """The weighted sums of columns in gaps, each with its error, (order, rounds)."""
        p, values = self.parameters, self.blocks.values
        found = np.zeros((p.order, p.rounds))
        for score, (tau, t, gap, codes) in zip(scores, self._codes(), strict=True):
            counts = np.bincount(codes, minlength=len(values))
            counts[np.searchsorted(values, 0)] += p.rows - p.labels
            charge = sum(int(n) * _if_zero(gap * int(entry)) for n, entry in zip(counts, values, strict=True))
            found[tau, t] = (charge - p.rows * score) / gap
        # a turned column x = 1 - label enters with the opposite sign, and its entry is added once
        restored: NDArray[Any] = found + transform(self.blocks.sums(self.turned))
        return restored

    def _sums(self, measured: NDArray[Any], t: int) -> NDArray[Any]:
        """The integers behind one round: the nearest ones, or those with the only flip that explains every score."""
        means = transform(measured, transposed=True) / len(measured)
        means[self.blocks.used :] = 0  # nothing is in there: an error of theirs is none, and no flip could mend it
        nearest = np.rint(means)
        left, allowed = measured - transform(nearest), self.parameters.rows * self.tolerance / self.gaps[t]
        if not self.parameters.repairs or (np.abs(left) <= allowed).all():
            return nearest.astype(np.int64)
        step = np.where(means < nearest, -1, 1)
        flips = [
            block
            for block in range(self.blocks.used)
            if (np.abs(left - step[block] * column(len(measured), block)) <= allowed).all()
        ]
        if len(flips) != 1:
            raise InconsistentScores("no single sum makes up for what the others leave: is there noise?")
        nearest[flips[0]] += step[flips[0]]
        return nearest.astype(np.int64)

    def _read(self, sums: NDArray[Any]) -> NDArray[Any]:
        """Columns from averaged sums: each block by its butterfly."""
        columns = np.zeros(self.parameters.labels, dtype=np.int64)
        for block in range(self.blocks.used):
            inside = self.blocks.inside(block)
            try:
                columns[inside] = self.blocks.design.decode(sums[block], inside.stop - inside.start)
            except DesignError as fault:
                raise InconsistentScores(f"block {block}: {fault}") from fault
        return columns


def tolerance_of(channel: Channel, p: AmplitudeSpread) -> float:
    """How far a score may be off: half a unit, noise within its bound, and all else."""
    with working(channel.working_bits):
        own = own_error(channel, p) * ball(p.least) / p.rows
        beyond = float(upper(moved_before(channel, p) + noise_bound(channel, p) + own))
        return float(p.unit) / 2 + beyond * TOLERANCE


def _if_zero(weight: float) -> float:
    """What label 0 is charged by a row of this weight: ln(1 + e^w)."""
    return max(weight, 0.0) + log1p(exp(-abs(weight)))

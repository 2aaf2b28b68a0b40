"""D, the dithered spread: rounded scores as measurements with an error that the attacker's own coins make uniform.

A fresh random offset over one cell makes the rounding error exactly uniform and independent of the labels. A
Hadamard matrix of blocks averages it; sums that are still in doubt are settled by exact comparisons, and one more
comparison verifies all labels. So the answer is never wrong: only the number of queries is random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive, InconsistentScores
from planner.attacks.dither.parameters import DitheredSpread
from planner.attacks.dither.settle import Sums, settle
from planner.attacks.spread.blocks import Blocks
from planner.attacks.threshold.comparator import Comparator, Offset
from planner.attacks.threshold.run import Verification, bit_by_bit, bootstrap, offset_labels
from planner.designs.base import DesignError
from planner.designs.hadamard import row, transform

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction


class DitherAttack(Adaptive):
    """Measures all sums under dither, settles the doubtful, decodes block by block, verifies and repairs."""

    id = "dither"

    def __init__(self, parameters: DitheredSpread) -> None:
        self.parameters = parameters

    def recover(self, score: ScoreFunction) -> Labels:
        """The labels that are asked for; `parameters.queries` queries suffice with the promised probability."""
        return bit_by_bit(self.parameters, lambda bit: self._bits(Comparator(self.parameters, score, bit), bit))

    def _bits(self, comparator: Comparator, bit: int) -> NDArray[Any]:
        p = self.parameters
        rows, idle, offset_rows = np.split(np.arange(p.rows), [p.measured, p.rows - p.offset_rows])
        offset = bootstrap(comparator, offset_rows)
        blocks = Blocks(p, len(rows), comparator.sides)
        measured = self._measure(comparator, blocks, offset, np.random.default_rng([p.seed, bit]))
        sums = Sums(comparator, blocks, offset, transform(measured, transposed=True) / p.order)
        settle(sums, p.doubt_step)
        labels = self._decode(sums, rows)
        self._require_explained(blocks, measured, labels)
        own, further = np.zeros_like(offset_rows), p.labels - p.measured
        if further:
            own = offset_labels(comparator, rows, labels, offset, further)
        return np.concatenate([labels, np.zeros_like(idle), own])

    def _measure(
        self, comparator: Comparator, blocks: Blocks, offset: Offset, coins: np.random.Generator
    ) -> NDArray[Any]:
        """Each query's weighted sum in gaps, (order, rounds), with its uniform error."""
        p = self.parameters
        levels = blocks.levels(blocks.values, p.gap)
        idle = (p.rows - p.offset_rows - blocks.count) * p.even_charge
        measured = np.zeros((p.order, p.rounds))
        for tau in range(p.order):
            signs = row(p.order, tau)
            for t in range(p.rounds):
                codes = blocks.codes(blocks.entries(t, signs), blocks.values)
                dither = comparator.least(offset) + coins.random() * float(p.cell)
                shown, shift = comparator.ask(levels, codes, offset, dither)
                charge = blocks.charge(levels, codes) + idle + shift - p.centre(shown)
                measured[tau, t] = charge / p.gap
        return measured

    def _decode(self, sums: Sums, rows: NDArray[Any]) -> NDArray[Any]:
        """Labels of all blocks; those that fit no labeling or fail the verification are measured exactly."""
        blocks = sums.blocks
        labels, undecodable = self._decode_blocks(sums)
        wrong, failed = self._wrong_blocks(sums, labels, rows, undecodable)
        doubtful = undecodable + wrong
        for block in doubtful:
            sums.measure_exactly(block)
        if doubtful:
            labels, undecodable = self._decode_blocks(sums)
            if undecodable or not Verification(sums.comparator, rows, labels, sums.offset).holds:
                raise InconsistentScores("no labeling explains the comparisons: is there noise?")
        for verification in failed:
            verification.require_explained(labels)
        sums.require_explained(labels)
        assert len(labels) == blocks.count
        return labels

    def _decode_blocks(self, sums: Sums) -> tuple[NDArray[Any], list[int]]:
        blocks = sums.blocks
        labels = np.zeros(blocks.count, dtype=np.int64)
        undecodable = []
        for block in range(blocks.used):
            inside = blocks.inside(block)
            try:
                labels[inside] = blocks.design.decode(sums.values[block], inside.stop - inside.start)
            except DesignError:
                undecodable.append(block)
        return labels, undecodable

    def _wrong_blocks(
        self, sums: Sums, labels: NDArray[Any], rows: NDArray[Any], excluded: list[int]
    ) -> tuple[list[int], list[Verification]]:
        """Blocks with a wrong label, by verifying and halving, and the verifications that failed."""
        wrong, failed = [], []
        stack = [[block for block in range(sums.blocks.used) if block not in set(excluded)]]
        while stack:
            group = stack.pop()
            inside = np.concatenate([rows[sums.blocks.inside(block)] for block in group] or [rows[:0]])
            if not len(inside):
                continue
            verification = Verification(sums.comparator, inside, labels, sums.offset)
            if verification.holds:
                continue
            failed.append(verification)
            if len(group) == 1:
                wrong += group
            else:
                stack += [group[: len(group) // 2], group[len(group) // 2 :]]
        return wrong, failed

    def _require_explained(self, blocks: Blocks, measured: NDArray[Any], labels: NDArray[Any]) -> None:
        """Every score that was seen must be the rounded score of these labels."""
        p = self.parameters
        error = np.abs(measured - transform(blocks.sums(labels))).max() * p.gap
        if error > float(p.cell) / 2 + p.tolerance + blocks.deviation(p.gap):
            raise InconsistentScores("the labels found do not explain all scores: is there noise?")

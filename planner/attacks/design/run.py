"""Design attacks: every label takes part in every query, weighted by an integer design.

A stage asks one design's queries about one question: K classes directly, or whether the class lies in a subset of
the classes. Rows charge g times the design's entry for the classes in question, relative to the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import InconsistentScores, Listed
from planner.attacks.design.certify import design_error
from planner.attacks.design.parameters import DesignStages
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.numbers import idle
from planner.attacks.scores import sums_of
from planner.channel.channel import Channel
from planner.designs.base import Design, DesignError
from planner.numerics.lockless import cached_property
from planner.numerics.reals import midpoint, upper, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query

AGAIN_ROUNDED = 2.0**-51  # a measurement of labels as float64: the integer, the unit and their product are rounded
CONSTANT_BITS = 200  # precision of the neutral charge in the attacker's constants


@dataclass(frozen=True)
class Stage:
    """One design and the classes it asks about: a label counts as 1 if its class is in `members`."""

    design: Design
    members: tuple[int, ...]


def stages_of(parameters: DesignStages, K: int) -> tuple[Stage, ...]:
    """The stages that the parameters describe: one for the whole label, or one a binary digit of the class."""
    design = parameters.design
    if parameters.digits == 1:
        return (Stage(design, tuple(range(1, K))),)
    return tuple(Stage(design, tuple(k for k in range(K) if k >> digit & 1)) for digit in range(parameters.digits))


class DesignAttack(Listed):
    """Runs the stages one after another; each is decoded on its own."""

    def __init__(self, id: str, channel: Channel, parameters: DesignStages) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        self.stages = stages_of(parameters, channel.classes)
        self.step = float(parameters.gap * parameters.design.unit)
        # Encoding a query gives its constant almost for free; decoding then needs no row again.
        self._constants: dict[tuple[Stage, int], Fraction] = {}

    # -- encoding ------------------------------------------------------------------------------------

    def queries(self) -> Iterator[Query]:
        """Stage by stage, row by row of its design."""
        for stage in self.stages:
            for t in range(stage.design.M):
                levels = self._levels(stage, t)
                entries = self._entries(stage, levels)
                self._constants[stage, t] = self._constant(stage, levels, entries)
                yield self._submission(entries)

    def submission(self, stage: Stage, t: int) -> Query:
        """Query t of a stage, on its own."""
        return self._submission(self._entries(stage, self._levels(stage, t)))

    def _levels(self, stage: Stage, t: int) -> NDArray[Any]:
        return stage.design.row(t, self.parameters.labels)

    def _entries(self, stage: Stage, levels: NDArray[Any]) -> NDArray[Any]:
        """The predictions of the active rows, (n, K); every entry to relative precision."""
        metric, classes = self.channel.metric, self.channel.classes
        if levels.ndim == 2:
            wanted = metric.class_entries(np, self.step, levels)
        else:
            charges, inside = self.step * levels.astype(float), len(stage.members)
            members, others = metric.entries(np, charges, inside, classes, self.channel.columns)
            wanted = np.empty((len(charges), classes))
            wanted[:] = others[:, None]
            wanted[:, list(stage.members)] = members[:, None]
        # The scorer's own format: the constants must be those of the numbers that it sees. An exact scorer sees float64.
        own = self.channel.submission
        rounded: NDArray[Any] = wanted.astype(own.text if own.floating else "float64").astype(np.float64)
        return rounded

    def _submission(self, entries: NDArray[Any]) -> Query:
        query = idle(self.channel, exact=False)
        query[: len(entries)] = entries[:, 1] if self.channel.columns == 1 else entries
        return query

    # -- decoding ------------------------------------------------------------------------------------

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        sums = iter(sums_of(self.channel, scores, self.parameters.queries))
        n = self.parameters.labels
        found = np.zeros(n, dtype=np.int64)
        for digit, stage in enumerate(self.stages):
            found += self._decode_stage(stage, list(islice(sums, stage.design.M))) << digit
        if (found >= self.channel.classes).any():
            raise InconsistentScores("the scores tell a class that does not exist")
        labels = np.full(self.channel.rows, -1, dtype=np.int64)
        labels[:n] = found
        return labels

    def _decode_stage(self, stage: Stage, sums: Sequence[Fraction]) -> NDArray[Any]:
        constants = (self.constant(stage, t) for t in range(stage.design.M))
        gap = self.parameters.gap
        return self.read(stage, np.array([float((a - b) / gap) for a, b in zip(sums, constants, strict=True)]))

    def read(self, stage: Stage, y: NDArray[Any]) -> NDArray[Any]:
        """A stage's labels from its measurements in gaps, each within the certified error."""
        try:
            labels = stage.design.decode(y, self.parameters.labels)
        except DesignError as fault:
            raise InconsistentScores(str(fault)) from fault
        # What labels predict of a query is its constant plus gap times the design's measurement, up to the deviation
        # that the tolerance counts. So comparing measurements is encoding the labels again, without a row of N entries.
        again = stage.design.scores(labels).astype(float) * float(stage.design.unit)
        allowed = self.tolerance + AGAIN_ROUNDED * abs(again)
        if (abs(y - again) > allowed).any():
            raise unexplained()
        return labels.astype(np.int64)

    @cached_property
    def tolerance(self) -> float:
        """The certified error in gaps, the attacker's own included, rounded up."""
        with working(self.channel.working_bits):
            error = upper(design_error(self.channel, self.parameters)) / self.parameters.gap
        return float(error * FLOAT_ROOM)

    def constant(self, stage: Stage, t: int) -> Fraction:
        """What is taken off the sum of query t: what is left are the design's measurements, in gaps."""
        if (stage, t) not in self._constants:
            levels = self._levels(stage, t)
            self._constants[stage, t] = self._constant(stage, levels, self._entries(stage, levels))
        return self._constants[stage, t]

    def _constant(self, stage: Stage, levels: NDArray[Any], entries: NDArray[Any]) -> Fraction:
        """The sum of charges if every label were 0, from the predictions as they are submitted.

        Of two groups of classes it is reckoned from midway between them: what the submitted ratios miss of the
        wanted ones then counts half for either group.
        """
        idle = self._idle
        outside = self._charges(entries, self._outside(stage))
        if stage.design.K > 2:
            return idle + outside
        inside = self._charges(entries, stage.members[0])
        wanted = int(levels.sum()) * stage.design.unit * self.parameters.gap
        return idle + (outside + inside - wanted) / 2

    def _outside(self, stage: Stage) -> int:
        return min(set(range(self.channel.classes)) - set(stage.members))

    def _of_class(self, entries: NDArray[Any], k: int) -> NDArray[Any]:
        """The probability of class k as the scorer takes it."""
        return 1 - entries[:, 1] if self.channel.columns == 1 and k == 0 else entries[:, k]

    def _charges(self, entries: NDArray[Any], k: int) -> Fraction:
        """What the active rows charge if every label is class k."""
        return self.channel.metric.total(np, self._of_class(entries, k), entries)

    @cached_property
    def _idle(self) -> Fraction:
        """The charge of all idle rows."""
        with working(CONSTANT_BITS):
            return midpoint((self.channel.scored - self.parameters.labels) * self.channel.neutral_charge())

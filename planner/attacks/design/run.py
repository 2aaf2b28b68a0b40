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

from flint import arb

from dsl.scenario import Ieee
from planner.attacks.attack import InconsistentScores
from planner.attacks.design.parameters import DesignStages
from planner.attacks.explained import FLOAT_ROOM, unexplained
from planner.attacks.scores import sums_of
from planner.channel.channel import Channel
from planner.designs.base import Design, DesignError
from planner.numerics.lockless import cached_property
from planner.numerics.reals import midpoint, upper, working

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from planner.attacks.attack import Labels, Query, ScoreFunction

AGAIN_ROUNDED = 2.0**-51  # a measurement of labels as float64: the integer, the unit and their product are rounded
CONSTANT_BITS = 200  # precision of ln 2 and ln K in the attacker's constants


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


class DesignAttack:
    """Runs the stages one after another; each is decoded on its own."""

    adaptive = False

    def __init__(self, id: str, channel: Channel, parameters: DesignStages) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        self.stages = stages_of(parameters, channel.K)
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
        import numpy as np

        wanted = _softmax(-self.step * levels.astype(float)) if levels.ndim == 2 else self._two_groups(stage, levels)
        # The scorer's own format: the constants must be those of the numbers that it sees. An exact scorer sees float64.
        bits = self.channel.precision.bits if isinstance(self.channel.precision, Ieee) else 64
        return wanted.astype(f"float{bits}").astype(np.float64)

    def _two_groups(self, stage: Stage, levels: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        charges = self.step * levels.astype(float)
        inside = len(stage.members)
        outside = self.channel.K - inside
        fade = np.exp(-abs(charges))  # at most 1, so that neither side cancels
        total = np.where(charges >= 0, outside + inside * fade, outside * fade + inside)
        entries = np.empty((len(charges), self.channel.K))
        entries[:] = (np.where(charges >= 0, 1.0, fade) / total)[:, None]
        entries[:, list(stage.members)] = (np.where(charges >= 0, fade, 1.0) / total)[:, None]
        if self.channel.columns == 1:
            # The other side of a prediction near 1 is 1 minus it: that difference must be the small side wanted.
            entries[:, 1] = np.where(charges >= 0, entries[:, 1], 1 - entries[:, 0])
        return entries

    def _submission(self, entries: NDArray[Any]) -> Query:
        from planner.attacks.numbers import idle

        query = idle(self.channel, exact=False)
        query[: len(entries)] = entries[:, 1] if self.channel.columns == 1 else entries
        return query

    # -- decoding ------------------------------------------------------------------------------------

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels, or InconsistentScores."""
        import numpy as np

        sums = iter(sums_of(self.channel, scores, self.parameters.queries))
        n = self.parameters.labels
        found = np.zeros(n, dtype=np.int64)
        for digit, stage in enumerate(self.stages):
            found += self._decode_stage(stage, list(islice(sums, stage.design.M))) << digit
        if (found >= self.channel.K).any():
            raise InconsistentScores("the scores tell a class that does not exist")
        labels = np.full(self.channel.N, -1, dtype=np.int64)
        labels[:n] = found
        return labels

    def _decode_stage(self, stage: Stage, sums: Sequence[Fraction]) -> NDArray[Any]:
        import numpy as np

        constants = (self.constant(stage, t) for t in range(stage.design.M))
        gap = self.parameters.gap
        return self.read(stage, np.array([float((a - b) / gap) for a, b in zip(sums, constants, strict=True)]))

    def read(self, stage: Stage, y: NDArray[Any]) -> NDArray[Any]:
        """A stage's labels from its measurements in gaps, each within the certified error."""
        import numpy as np

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
        from planner.attacks.design.certify import design_error

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
        _, idle = self._logarithms
        outside = self._charges(self._of_class(entries, self._outside(stage)))
        if stage.design.K > 2:
            return idle + outside
        inside = self._charges(self._of_class(entries, stage.members[0]))
        wanted = int(levels.sum()) * stage.design.unit * self.parameters.gap
        return idle + (outside + inside - wanted) / 2

    def _outside(self, stage: Stage) -> int:
        return min(set(range(self.channel.K)) - set(stage.members))

    def _of_class(self, entries: NDArray[Any], k: int) -> NDArray[Any]:
        """The probability of class k as the scorer takes it."""
        return 1 - entries[:, 1] if self.channel.columns == 1 and k == 0 else entries[:, k]

    def _charges(self, probabilities: NDArray[Any]) -> Fraction:
        """The sum of -ln p. Exponents are summed exactly; only the logarithms of mantissas are rounded."""
        from math import fsum

        import numpy as np

        mantissas, exponents = np.frexp(probabilities)
        ln2, _ = self._logarithms
        return -int(exponents.sum()) * ln2 - Fraction(fsum(np.log(mantissas)))

    @cached_property
    def _logarithms(self) -> tuple[Fraction, Fraction]:
        """ln 2, and the charge of all idle rows."""
        with working(CONSTANT_BITS):
            idle = (self.channel.N - self.parameters.labels) * arb(self.channel.K).log()
            return midpoint(arb(2).log()), midpoint(idle)

    def recover(self, score: ScoreFunction) -> Labels:
        """Ask and decode."""
        return self.decode(score(query) for query in self.queries())


def _softmax(logits: NDArray[Any]) -> NDArray[Any]:
    import numpy as np

    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))

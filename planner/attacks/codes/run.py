"""Averages by words of a code, as they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.attacks.attack import InconsistentScores
from planner.attacks.codes.parameters import CodedSpread
from planner.attacks.consistent.run import ConsistentAttack, Pass
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.designs.hadamard import transform

if TYPE_CHECKING:
    from planner.attacks.attack import Labels


class CodesAttack(ConsistentAttack):
    """A pass for each bit of a word; all of them are read before any label is decided."""

    parameters: CodedSpread

    def __init__(self, id: str, channel: Channel, parameters: CodedSpread) -> None:
        super().__init__(id, channel, parameters)
        self.words = np.array([[word >> bit & 1 for bit in range(parameters.length)] for word in parameters.words])

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels; InconsistentScores where they do not explain every score."""
        p = self.parameters
        given = np.array([float(exact_score(score) - self.channel.centre) for score in scores])
        if len(given) != p.queries:
            raise InconsistentScores(f"{p.queries} scores are needed, {len(given)} were given")
        if not np.isfinite(given).all():
            raise InconsistentScores("a score that is no number")
        parts = zip(self._passes(), given.reshape(p.length, -1), strict=True)
        measured = [one.measured(part)[:, 0] for one, part in parts]
        read = np.array([transform(each, transposed=True)[: p.labels] / p.order for each in measured])
        labels = np.argmax((2 * self.words - 1) @ (read - 0.5), axis=0)
        for each, bits in zip(measured, self.words[labels].T, strict=True):
            wanted = np.zeros(p.order)
            wanted[: p.labels] = bits
            if np.abs(each - transform(wanted)).max() > self.tolerance:
                raise InconsistentScores("the labels found do not explain all scores: is there noise?")
        return np.append(labels, np.full(p.rows - p.labels, -1))

    def _passes(self) -> Iterator[Pass]:
        for bit in range(self.parameters.length):
            sides = tuple(bool(word >> bit & 1) for word in self.parameters.words)
            yield Pass(self.parameters, bit, self._unit, sides)

"""Averages in passes by a prefix code, as they run."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive, InconsistentScores
from planner.attacks.consistent.run import Pass, tolerance_of
from planner.attacks.passes.parameters import PassedSpread
from planner.attacks.prefix.run import codewords
from planner.attacks.scores import exact_score
from planner.channel.channel import Channel
from planner.channel.metrics.base import Level

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, ScoreFunction

ORDERS = 2**32  # of coins: those that choose the orders of classes, apart from all passes' own


class PassesAttack(Adaptive):
    """A pass over all labels for each bit that all codewords have, then one over the labels whose codeword has one more."""

    def __init__(self, id: str, channel: Channel, parameters: PassedSpread) -> None:
        self.id = id
        self.channel = channel
        self.parameters = parameters
        self.tolerance = tolerance_of(channel, parameters)

    def recover(self, score: ScoreFunction) -> Labels:
        """The labels; InconsistentScores where no single flip explains every score of a round."""
        p = self.parameters
        places = self._places()
        known = np.zeros(p.labels, dtype=np.int64)
        everyone = np.arange(p.labels)
        for bit in range(p.depth):
            known = 2 * known + self._pass(score, places, bit, everyone, p.rounds)
        short = (2 << p.depth) - p.classes
        deep = np.flatnonzero(known >= short)
        if len(deep) > p.deep:
            raise InconsistentScores(
                f"{len(deep)} labels take another pass, and it holds {p.deep}: other coins will do"
            )
        if len(deep):
            known[deep] = 2 * known[deep] + self._pass(score, places, p.depth, deep, p.deep_rounds) - short
        labels = np.argmax(places == known[:, None], axis=1)
        return np.append(labels, np.full(p.rows - p.labels, -1))

    def _places(self) -> NDArray[Any]:
        """The place of every class in its row's order, (labels, K)."""
        p = self.parameters
        coins = np.random.default_rng([p.seed, ORDERS])
        return coins.permuted(np.tile(np.arange(p.classes), (p.labels, 1)), axis=1)

    def _pass(
        self, score: ScoreFunction, places: NDArray[Any], bit: int, asked: NDArray[Any], rounds: int
    ) -> NDArray[Any]:
        """One bit of the codewords of the rows that are asked."""
        p = self.parameters
        one = Pass(replace(p, labels=len(asked), rounds=rounds), bit, self.channel.digits.unit or Fraction(0))
        heavy = sides(p.classes, bit)[places[asked]]  # classes whose side counts as 1
        seen = [
            float(exact_score(score(self._submission(levels, codes[: len(asked)], asked, heavy))) - self.channel.centre)
            for levels, codes in one.rows()
        ]
        return one.decode(np.array(seen), self.tolerance)

    def _submission(
        self, levels: list[Level], codes: NDArray[Any], asked: NDArray[Any], heavy: NDArray[Any]
    ) -> NDArray[Any]:
        """Each row that is asked by its own sides, all others idle."""
        p = self.parameters
        idle = levels[len(levels) // 2].on  # entries are symmetric about 0
        table = np.array([(each.off, each.on) for each in levels])[codes]
        query = np.full((p.rows, p.classes), idle)
        query[asked] = np.where(heavy, table[:, 1:], table[:, :1])
        return query


def sides(classes: int, bit: int) -> NDArray[Any]:
    """For each place of an order, whether its codeword has the bit; places without one lie on either side."""
    words = codewords(classes)
    return np.array([bool(word[bit]) if bit < len(word) else False for word in words])

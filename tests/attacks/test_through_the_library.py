"""Attacks on coarse scores through scikit-learn's own log_loss: every query, five kinds of labeling, then the worst errors.

Nothing stands between an attack and the library but what a board does: noise within its bound, and the digits that are shown.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from itertools import product
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import log_loss

from dsl import loads
from planner.attacks.amplitude.theorem import Amplitude
from planner.attacks.codes.theorem import CodedClasses
from planner.attacks.consistent.theorem import Consistent
from planner.attacks.dither.theorem import Dither
from planner.attacks.ones.theorem import RowsOfOnes
from planner.attacks.passes.theorem import PrefixPasses
from planner.attacks.prefix.theorem import PrefixThreshold
from planner.attacks.scaled.theorem import ScaledThreshold
from planner.attacks.theorem import Theorem
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.model import Candidate
from tests.sampling import OneIn

ATTACKS: dict[str, Theorem[Any]] = {
    "ones": RowsOfOnes(), "scaled": ScaledThreshold(), "consistent": Consistent(), "prefix": PrefixThreshold(),
    "passes": PrefixPasses(), "swell": Amplitude(), "codes": CodedClasses(), "dither": Dither(),
}  # fmt: skip
ADAPTIVE = {"prefix", "passes", "dither"}

ROUNDED = [
    ("ones", "N = 60; columns = 2; decimals = 3"),
    ("ones", "N = 40; K = 3; decimals = significant(4)"),
    ("scaled", "N = 60; columns = 2; decimals = 0"),
    ("scaled", "N = 40; K = 3; decimals = truncated(1)"),
    ("consistent", "N = 400; columns = 2; decimals = 1"),
    ("consistent", "N = 300; K = 3; decimals = truncated(1)"),
    ("prefix", "N = 60; K = 3; decimals = 1"),
    ("passes", "N = 300; K = 3; decimals = 1"),
    ("swell", "N = 300; decimals = 1"),
    ("swell", "N = 300; decimals = significant(2)"),
    ("codes", "N = 60; K = 3; decimals = 0"),
    ("dither", "N = 300; columns = 2; decimals = 1"),
    ("dither", "N = 300; columns = 2; decimals = truncated(1)"),
    ("dither", "N = 120; K = 3; decimals = 0"),
]
NOISY = [
    ("ones", "N = 12; columns = 2; decimals = 2; noise = bounded(0.05)", 0.05),
    ("scaled", "N = 8; columns = 2; decimals = 0; noise = bounded(2)", 2),
    ("scaled", "N = 6; K = 3; decimals = 1; noise = bounded(2.5)", 2.5),
    ("consistent", "N = 300; columns = 2; decimals = 1; noise = bounded(0.001)", 0.001),
    ("prefix", "N = 8; K = 3; decimals = 1; noise = bounded(2)", 2),
    ("passes", "N = 300; K = 3; decimals = 1; noise = bounded(0.001)", 0.001),
    ("swell", "N = 300; decimals = 1; noise = bounded(0.002)", 0.002),
    ("codes", "N = 60; K = 3; decimals = 0; noise = bounded(0.02)", 0.02),
    ("dither", "N = 300; columns = 2; decimals = 1; noise = bounded(1e-7)", 1e-7),
]


@dataclass
class Board:
    """The library's score of a submission, moved by an adversary within a bound, as a board shows it."""

    labels: Any
    classes: int
    shown: Callable[[float], float]
    push: Callable[[float], float] = lambda score: score
    asked: int = field(default=0, init=False)

    def __call__(self, submission: Any) -> float:
        self.asked += 1
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", UserWarning
            )  # rows that do not sum to 1 are warned of, and charged as they are
            score = float(log_loss(self.labels, submission, labels=np.arange(self.classes)))
        return self.shown(self.push(score))


def certified(attack: str, text: str) -> Candidate:
    listed = "" if attack in ADAPTIVE else "; adaptive = no"
    (scenario,) = loads(f"scenario board {{ {text}{listed}; scorer = sklearn }}")
    found = consider(ATTACKS[attack], channel_of(scenario))
    assert found.certified is not None, found.reasons
    return found


def digits(text: str) -> Callable[[float], float]:
    """What a board shows of a score: the decimals, the significant digits, or what is left when digits are cut off."""
    rule = next(part.split("=")[1].strip() for part in text.split(";") if "decimals" in part)
    count = int("".join(filter(str.isdigit, rule)))
    if rule.startswith("significant"):
        return lambda score: float(f"{score:.{count - 1}e}")
    way = ROUND_FLOOR if rule.startswith("truncated") else ROUND_HALF_EVEN
    return lambda score: float(Decimal(score).quantize(Decimal(1).scaleb(-count), way))


def kinds(N: int, K: int) -> Iterator[Any]:
    coins = np.random.default_rng(N + K)
    yield coins.integers(0, K, N)
    yield np.zeros(N, dtype=int)
    yield np.full(N, K - 1)
    yield np.arange(N) % K
    yield np.where(coins.random(N) < 0.02, K - 1, 0)


@pytest.mark.parametrize(("attack", "text"), ROUNDED)
def test_every_kind_of_labeling(attack: str, text: str, one_in: OneIn) -> None:
    found = certified(attack, text)
    there, queries = found.channel, found.certified.queries
    for labels in one_in(2, kinds(there.rows, there.classes), text):
        board = Board(labels, there.classes, digits(text))
        assert (found.build().recover(board) == labels).all()  # some may fail with probability 1 %; these do not
        assert board.asked <= queries
        assert attack in ADAPTIVE or board.asked == queries


def worst(shown: Callable[[float], float], tau: float) -> Callable[[float], float]:
    """An adversary who sees the score: to the side on which the digits change, else farther from them than nothing does."""

    def push(score: float) -> float:
        sides = (score + tau, score - tau)
        return next((side for side in sides if shown(side) != shown(score)), sides[0])

    return push


@pytest.mark.parametrize(("attack", "text", "tau"), NOISY)
def test_the_worst_errors_within_the_bound(attack: str, text: str, tau: float, one_in: OneIn) -> None:
    """By .999 of the bound: always up, always down, and to whichever side turns the last digit."""
    found = certified(attack, text)
    there, shown, most = found.channel, digits(text), 0.999 * tau
    pushes = [lambda score: score + most, lambda score: score - most, worst(shown, most)]
    for labels, push in one_in(3, product(kinds(there.rows, there.classes), pushes), text):
        board = Board(labels, there.classes, shown, push)
        assert (found.build().recover(board) == labels).all()
        assert board.asked <= found.certified.queries

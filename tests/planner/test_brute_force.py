"""Every labeling of small scenarios: what the certifier accepts is separated, what the limits exclude is not found."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dsl.numbers import Real
from dsl.scenario import (
    Arbitrary,
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Multiplicative,
    NoNoise,
    Scenario,
    Significant,
    Time,
    Uniform,
)
from planner import plan
from planner.attacks.block.parameters import DyadicWeights, GeometricOdds, ListedBlock
from planner.attacks.design.parameters import DesignStages
from planner.attacks.primes.parameters import PrimePowers
from planner.model import Candidate
from tests.planner import brute
from tests.planner.scenarios import CLIP

PRECISIONS = (Arbitrary(), FixedPoint(8, 8), FixedPoint(24, 24), Ieee(16), Ieee(32), Ieee(64))
NOISES = (
    NoNoise(),
    Bounded(Real.of(Fraction(1, 1000))),
    Bounded(Real.of(Fraction(1, 5))),
    Uniform(Real.of(Fraction(-1, 50)), Real.of(Fraction(1, 25))),
    Gaussian(Real.of(Fraction(1, 2000))),
    Multiplicative(Real.of(Fraction(3, 100))),
)
SHOWN = (None, Decimals(1), Decimals(3), Significant(2))
CLIPS = (None, CLIP, Real.of(Fraction(1, 100)))
SHAPES = ((2, 1), (2, 2), (3, 3))  # classes and columns
LARGEST = 3**7  # labelings looked at

GRID = tuple(product(PRECISIONS, NOISES, SHOWN, CLIPS, SHAPES))
PARTS = 16
SHARE = 16  # of the scenarios one in so many is tried, unless all are
PROVED_BY_SEPARATION = (ListedBlock, GeometricOdds, DyadicWeights, PrimePowers, DesignStages)


def scenarios(part: int) -> list[Scenario]:
    """One or two scenarios a cell of the grid, of random size."""
    draw = random.Random(part)
    made = []
    for index, (precision, noise, shown, clip, (K, columns)) in enumerate(GRID[part::PARTS]):
        for _ in range(1 + (index % 5 < 3)):
            N = draw.randint(1, 10)
            while K**N > LARGEST:
                N = draw.randint(1, 10)
            made.append(
                Scenario(
                    name="small",
                    N=N,
                    K=K,
                    phi=precision,
                    noise=noise,
                    shown=shown,
                    clip=clip,
                    columns=columns,
                    time=draw.choice(list(Time)),
                    adaptive=draw.random() < 0.3,
                )
            )
    return made


def test_the_grid_is_large_enough():
    assert sum(len(scenarios(part)) for part in range(PARTS)) >= 2000


def by_separation(candidate: Candidate) -> bool:
    """Whether a certificate of this kind, on this channel, is a promise about every error within a bound."""
    parameters = candidate.certified.certificate.parameters
    return not candidate.channel.random or isinstance(parameters, PROVED_BY_SEPARATION)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_certified_is_separated(part, thorough):
    checked = 0
    made = scenarios(part)
    for scenario in made if thorough else random.Random(part).sample(made, len(made) // SHARE):
        for candidate in plan(scenario).candidates:
            if candidate.certified is None or not by_separation(candidate):
                continue
            attack = candidate.build()
            if attack.adaptive:
                continue
            queries = list(attack.queries())
            assert len(queries) <= candidate.certified.queries, (scenario, candidate.attack)
            assert brute.told_apart(scenario, queries, candidate.certified.queries), (scenario, candidate.attack)
            checked += 1
    assert checked > 100 // SHARE


@pytest.mark.parametrize("clip", [None, CLIP, Real.of(Fraction(1, 1000))])
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("d", [0, 1, 2])
@pytest.mark.parametrize("N", [1, 2, 5])
def test_adaptive_attacks_recover_every_labeling_behind_rounding(N, d, columns, clip):
    """Every certified attack that asks step by step, against an exact scorer that rounds."""
    scenario = Scenario(name="small", N=N, phi=Arbitrary(), shown=Decimals(d), clip=clip, columns=columns)
    for candidate in plan(scenario).candidates:
        if candidate.certified is None or not candidate.build().adaptive:
            continue
        for labels in brute.labelings(N, 2):
            asked: list[np.ndarray] = []

            def score(query: np.ndarray, labels: np.ndarray = labels, asked: list[np.ndarray] = asked) -> float:
                asked.append(query)
                loss = brute.charges(scenario, query)[np.arange(N), labels].mean()
                return float(np.rint(loss * 10**d) / 10**d)

            assert (candidate.build().recover(score) == labels).all(), (scenario, candidate.attack, labels)
            assert len(asked) <= candidate.certified.queries

"""Noise that grows with the loss, at its bound on thin margins: the decoder must be the one that was certified."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import arb, ctx

from backends.simulate import simulate
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Ieee, Multiplicative, Scenario
from planner import plan
from planner.attacks.block.parameters import DyadicWeights, ListedBlock
from planner.attacks.block.run import build_block
from planner.attacks.scores import exact_score
from planner.catalogue import BY_ID, CATALOGUE
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.considering import consider
from planner.numerics.reals import ball, midpoint
from tests.planner.known import candidate

START = {"growing-block": Fraction(3, 40)}  # it needs noise: with less, blocks of one size ask as few queries
STEPS = 10  # bisections: the noise is within 2^-10 of the largest that is certified

CLIPPED = Scenario("clipped", 1, phi=Arbitrary(), clip=Real.of(Fraction(1, 10**6)))
FLOAT = Scenario("float", 1, phi=Ieee(64), clip=Real.of(Fraction(1, 10**6)))
FREE = Scenario("free", 1, phi=Arbitrary())
CLASSES = replace(CLIPPED, K=3, columns=3)

CHANNELS = {
    "primes-fpa": (CLIPPED, FLOAT, FREE),
    "prime-powers-fpa": (CLASSES,),
    "subset-sums-apa": (FREE,),
    "one-label": (CLIPPED, FREE),
    "block": (CLIPPED, FLOAT, FREE),
    "growing-block": (CLIPPED,),
    "digits": (CLASSES,),
    "design": (CLIPPED, CLASSES),
    "batches": (CLASSES,),
}
"""Channels on which each attack is certified under multiplicative noise."""

SIZES = {"growing-block": ((7, 3), (7, 6))}  # labels and queries that it takes to grow

CASES = [(name, scenario) for name, scenarios in CHANNELS.items() for scenario in scenarios]


def certified(name, scenario, alpha, N, queries):
    """The attack on N labels, if it is certified for so many queries under this noise."""
    noisy = replace(scenario, N=N, noise=Multiplicative(Real.of(alpha)))
    found = consider(BY_ID[name], channel_of(noisy))
    return found if found.certified and found.certified.queries <= queries else None


def thinnest(name, scenario, N, queries):
    """The attack at a noise so large that with a little more it is not certified."""
    low = START.get(name, Fraction(0))
    high, found = Fraction(1), certified(name, scenario, low, N, queries)
    for _ in range(STEPS):
        middle = (low + high) / 2
        this = certified(name, scenario, middle, N, queries)
        low, high, found = (middle, high, this) if this else (low, middle, found)
    return low, found


def exact_loss(labels, query):
    """The loss of the predictions as they were submitted, to 300 bits."""
    rows = query if query.ndim == 2 else np.stack([1 - query, query], axis=1)
    charged = [exact_score(p) for p in rows[np.arange(len(labels)), list(labels)].tolist()]
    with ctx.workprec(300):
        return midpoint(sum((-(ball(p).log()) for p in charged), arb(0)) / len(labels))


@pytest.mark.parametrize(("name", "scenario"), CASES, ids=[f"{name}-{one.name}" for name, one in CASES])
def test_the_bound_of_growing_noise_is_decoded_at_thin_margins(name, scenario):
    """A gap widened by 1 + α was certified for decoders that take the nearest sum."""
    tried = 0
    for N, queries in ((1, 2), (3, 2), (3, 3), (4, 5), *SIZES.get(name, ())):
        alpha, found = thinnest(name, scenario, N, queries)
        if found is None:
            continue
        tried += 1
        attack = found.build()
        for labels, sign in product(product(range(scenario.K), repeat=N), (1, -1)):
            shown = attack.recover(lambda u, y=labels, by=1 + sign * alpha: exact_loss(y, u) * by)
            assert shown.tolist() == list(labels), (N, queries, float(alpha), sign)
    assert tried


def test_every_attack_that_bears_growing_noise_is_tried():
    """An attack that is certified somewhere under multiplicative noise is in the list above."""
    found = set()
    for scenario in (CLIPPED, FLOAT, FREE, CLASSES, replace(CLASSES, clip=None), replace(CLIPPED, columns=2)):
        for alpha in (Fraction(1, 10**6), Fraction(1, 100)):
            noisy = channel_of(replace(scenario, N=40, noise=Multiplicative(Real.of(alpha))))
            found |= {one.id for one in CATALOGUE if consider(one, noisy).certified}
    assert found - {"zero"} <= set(CHANNELS)


def test_primes_under_growing_noise_promise_no_more_than_the_nearest_product():
    """(1+α) gap > 2E was proved and the nearest product taken: no label of 20 runs came out right."""
    scenario = Scenario("f1", 8, clip=Real.of(Fraction(1, 5)), noise=Multiplicative(Real.of(Fraction("0.0588"))))
    report = plan(scenario)
    assert candidate(report, "primes-fpa").certified is None
    for one in report.candidates:
        if one.certified is not None:
            runs = [simulate(one, seed=seed, noise_mode=mode) for seed in range(5) for mode in ("minus", "plus")]
            assert all(run.exact_trials == run.trials for run in runs), one.attack


LEVELED = {
    "Conway-Guy": ListedBlock(1, 3, tuple(Fraction(1, 1 + 20**level) for level in (2, 3, 4)), core=3),
    "dyadic": DyadicWeights(1, 3, 3, 40, 0),
}


@pytest.mark.parametrize("parameters", LEVELED.values(), ids=LEVELED)
def test_levels_that_are_rounded_to_are_not_widened(parameters):
    """No proposer offers sets of levels under multiplicative noise; whoever does gets no factor 1 + α for them."""
    low, high = Fraction(0), Fraction(1)
    for _ in range(STEPS):
        middle = (low + high) / 2
        noisy = channel_of(replace(CLIPPED, N=3, noise=Multiplicative(Real.of(middle))))
        low, high = (middle, high) if certify(noisy, parameters).holds else (low, middle)
    assert low > 0
    noisy = channel_of(replace(CLIPPED, N=3, noise=Multiplicative(Real.of(low))))
    attack = build_block("block", noisy, parameters)
    for labels, sign in product(product((0, 1), repeat=3), (1, -1)):
        shown = attack.recover(lambda u, y=labels, by=1 + sign * low: exact_loss(y, u) * by)
        assert shown.tolist() == list(labels)

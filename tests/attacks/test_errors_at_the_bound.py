"""Every labeling of a few labels, every score off by all but a thousandth of the certified error: none is refused.

The other half of refusing what no labeling explains: a decoder that is too strict breaks its certificate.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

from dsl import loads
from planner import plan
from planner.channel.channel import Channel
from planner.numerics.reals import lower, midpoint, working
from tests.attacks.test_hostile_scores import loss_of, own_clip
from tests.sampling import OneIn

ROUNDED = {"threshold", "dither", "zero"}  # they read comparisons and infinities, not sums
AVERAGED = {"spread", "hadamard"}  # some of their labels may be wrong
SCENARIOS = (
    "N = 5; phi = arbitrary; clip = 1e-3; noise = bounded(0.05)",
    "N = 4; phi = fixed(8, 12); noise = uniform(-0.01, 0.02)",
    "N = 5; clip = 1e-6; noise = multiplicative(0.05)",
    "N = 5; phi = float32; clip = 1e-3; decimals = 2",
    "N = 5; phi = arbitrary; clip = 0.01; decimals = significant(2); goal = 80%",
    "N = 3; K = 3; phi = arbitrary; clip = 1e-6; noise = bounded(0.02)",
    "N = 3; K = 4; phi = fixed(6, 20); decimals = 3",
    "N = 3; K = 3; clip = 1e-9; noise = multiplicative(0.01); decimals = 4",
)


def disturbed(channel: Channel, labels: Any, queries: int, side: Callable[[], int]) -> Callable[[Any], Fraction]:
    """A scorer whose error is .999 of what is certified, to one side or the other."""

    def score(u: Any) -> Fraction:
        with working(200):
            loss = loss_of(channel, labels, u, own_clip(channel))
            error = lower(channel.errors(queries).score_error(loss))
        return midpoint(loss) + channel.law.centre + int(side()) * error * 999 / 1000

    return score


@pytest.mark.parametrize("body", SCENARIOS)
def test_no_error_within_the_bound_is_refused_or_misread(body: str, one_in: OneIn) -> None:
    report = plan(loads("scenario thin {\n" + body.replace("; ", "\n") + "\n}\n")[0])
    coins = np.random.default_rng(1)
    tried = 0
    for candidate in report.candidates:
        channel = candidate.channel
        if candidate.certified is None or channel is None or candidate.attack in ROUNDED | AVERAGED:
            continue
        attack, queries = candidate.build(), candidate.certified.queries
        every = product(product(range(channel.classes), repeat=channel.rows), (1, -1, 0))
        for hidden, sign in one_in(2, every, candidate.attack):
            labels = np.array(hidden)
            found = attack.recover(disturbed(channel, labels, queries, lambda sign=sign: sign or coins.choice([-1, 1])))
            spoken = found >= 0
            assert spoken.sum() >= channel.wanted
            assert (found[spoken] == labels[spoken]).all(), (candidate.attack, labels, sign)
            tried += 1
    assert tried

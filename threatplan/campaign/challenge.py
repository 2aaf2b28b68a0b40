"""Limits against the scorer itself: a handful of labels, too few queries by the proof, and yet all labelings apart?

Where the proof is right no choice of queries tells every labeling from every other. So queries are made as telling as
one knows how, and the real scorer is asked for every labeling.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from dsl.scenario import Bounded, FixedPoint, NoNoise
from threatplan.campaign.defects import Defect, defect

if TYPE_CHECKING:
    import numpy as np

    from planner.channel.channel import Channel
    from planner.model import Limit
    from planner.report import Report

MOST_LABELINGS = 64
MOST_QUERIES = 4
ATTEMPTS = 2
REACH = 36.0  # of the log-odds, where no clip bounds them


def challenged(report: Report, index: int) -> Iterator[Defect]:
    """Proofs that some set of queries refutes."""
    channel = report.channel
    if channel.split and (channel.uncertain or channel.membership):
        return
    # Whoever is told which rows are scored has a board of these alone.
    channel = replace(channel, rows=channel.scored, wanted=channel.wanted - (channel.rows - channel.scored))
    if channel.classes**channel.rows > MOST_LABELINGS or channel.wanted < channel.rows or not _deterministic(channel):
        return
    for limit in report.limits:
        queries = MOST_QUERIES if limit.excludes_all else min((limit.queries or 0) - 1, MOST_QUERIES)
        if queries > 0 and _refuted(report, channel, queries, index):
            yield defect("limit", limit.id, f"{queries} queries tell all labelings apart; {_claim(limit)}")


def _claim(limit: Limit) -> str:
    return "none is said to" if limit.excludes_all else f"{limit.queries} are said to be needed"


def _deterministic(channel: Channel) -> bool:
    """Whether scores alone decide: nothing is added, or a bounded error to scores in full."""
    if channel.response is not None:
        return False
    return isinstance(channel.noise, NoNoise) or (isinstance(channel.noise, Bounded) and channel.shown is None)


def _refuted(report: Report, channel: Channel, queries: int, index: int) -> bool:
    import numpy as np

    generator = np.random.default_rng((index, queries))
    return any(_apart(report, channel, queries, generator) for _ in range(ATTEMPTS))


def _apart(report: Report, channel: Channel, queries: int, generator: np.random.Generator) -> bool:
    """Whether these queries separate every pair of labelings by more than twice the error."""
    import numpy as np

    from backends.scorers import make_scorer

    scenario, noise = report.scenario, report.scenario.noise
    quiet = replace(scenario, noise=NoNoise())
    scorers = [make_scorer(quiet.showing(metric), generator) for metric in scenario.metrics]
    blur = 2 * float(noise.tau.lo) * (1 + 1e-9) + 1e-12 if isinstance(noise, Bounded) else 0.0
    labelings = [np.array(one) for one in product(range(scenario.K), repeat=channel.rows) if _possible(one, channel)]
    together = np.ones((len(labelings), len(labelings)), dtype=bool)
    for _ in range(queries):
        u = _query(channel, generator)
        for scorer in scorers:
            scores = np.array([float(scorer(one, u)) for one in labelings])
            with np.errstate(invalid="ignore"):
                together &= ~(np.abs(scores[:, None] - scores[None, :]) > blur)
    return int(together.sum()) == len(labelings)


def _possible(labels: tuple[int, ...], channel: Channel) -> bool:
    """Whether the labeling is near enough to a guess of all 0: about any other they lie alike."""
    wrong = sum(label != 0 for label in labels)
    return wrong == channel.radius if channel.exactly else wrong <= channel.radius


def _query(channel: Channel, generator: np.random.Generator) -> Any:
    """Log-odds at the extremes, in powers of two, or anywhere; one column or K. Of predicted classes any."""
    import numpy as np

    if channel.metric.counts:
        return generator.integers(0, channel.classes + channel.abstain, channel.rows)
    reach = min(REACH, float(channel.span())) if channel.confined else REACH
    shape = (channel.rows,) if channel.columns == 1 else (channel.rows, channel.classes)
    size = generator.choice(
        [np.ones(shape), 0.5 ** generator.permutation(int(np.prod(shape))).reshape(shape), generator.random(shape)]
    )
    odds = reach * size * generator.choice((-1.0, 1.0), size=shape)
    if channel.columns == 1:
        return _on_grid(1 / (1 + np.exp(odds)), channel)
    weights = np.exp(odds - odds.max(axis=1, keepdims=True))
    return _on_grid(weights / weights.sum(axis=1, keepdims=True), channel)


def _on_grid(u: np.ndarray, channel: Channel) -> np.ndarray:
    """Predictions that the scorer's format holds."""
    import numpy as np

    if not isinstance(channel.precision, FixedPoint):
        return u
    steps = 2.0 ** min(channel.precision.fraction_bits, 50)
    top = steps - 1 if u.ndim == 1 else steps
    return np.clip(np.round(u * steps), 1, max(top, 1)) / steps

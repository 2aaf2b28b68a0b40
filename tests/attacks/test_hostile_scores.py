"""Every attack of the catalogue against scorers that are not what the scenario says.

An attack then returns the right labels, or fails loudly. Where other labels than the hidden ones explain every score
that was seen within the certified error, nobody can notice: those labels may be returned, and no others. What labels
explain is reckoned here from the submissions alone, with nothing of the decoders.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx

from dsl import loads
from dsl.scenario import Arbitrary, Decimals, FixedPoint
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.design.certify import design_error
from planner.attacks.design.parameters import DesignStages
from planner.attacks.power_sums.certify import largest_weight
from planner.attacks.power_sums.parameters import PowerSums
from planner.attacks.primes.certify import prime_deviation
from planner.attacks.primes.parameters import PrimePowers
from planner.attacks.splitting.certify import splitting_error, weighing_error
from planner.attacks.splitting.parameters import Splitting
from planner.attacks.spread.parameters import HadamardMean, Spread
from planner.catalogue import BY_ID
from planner.channel.channel import Channel
from planner.model import Candidate
from planner.numerics.reals import ball, midpoint, upper

Recorded = list[tuple[Any, Any]]
Honest = Callable[[Any], Any]

SCENARIOS = {
    "exact": "N = 8; phi = arbitrary",
    "exact classes": "N = 6; K = 3; phi = arbitrary",
    "exact, noisy": "N = 6; phi = arbitrary; noise = bounded(0.1); time = exponential",
    "decimals": "N = 24; scorer = kaggle",
    "few decimals": "N = 24; decimals = 3; clip = 1e-15",
    "decimals, classes": "N = 12; K = 3; scorer = kaggle",
    "part of the labels": "N = 32; decimals = 2; clip = 1e-15; goal = 0.5",
    "one decimal": "N = 200; decimals = 1; clip = 1e-15",
    "no clip": "N = 20; scorer = ml_metrics",
    "no clip, planned ahead": "N = 20; scorer = ml_metrics; adaptive = no",
    "no clip, classes": "N = 9; K = 3; scorer = ml_metrics; columns = 3; adaptive = no",
    "fixed": "N = 24; phi = fixed(8, 20)",
    "fixed, classes": "N = 12; K = 3; phi = fixed(8, 24)",
    "bounded": "N = 24; clip = 0.01; noise = bounded(0.01)",
    "multiplicative": "N = 60; clip = 1e-9; noise = multiplicative(0.02)",
    "gaussian": "N = 16; clip = 1e-6; noise = gaussian(0.02)",
    "a guess": "N = 40; guess = 90%; decimals = 3; clip = 1e-15; columns = 2",
    "a guess, one column": "N = 24; guess = 70%; decimals = 2; clip = 1e-15",
    "a guess, classes": "N = 12; K = 3; guess = 75%; scorer = kaggle",
    "a guess past rounding": "N = 40; guess = 95%; decimals = 0; clip = 1e-15; columns = 2",
    "batches": "N = 10; K = 3; phi = arbitrary; noise = bounded(0.001); clip = 1e-6",
}


@cache
def certified(name: str) -> tuple[Candidate, ...]:
    (scenario,) = loads("scenario hostile {\n" + SCENARIOS[name].replace("; ", "\n") + "\n}\n")
    return tuple(one for one in plan(scenario).candidates if one.certified is not None)


# Of many labels only the attack that needs so many, of a guess the one that starts from it.
ONLY = {"one decimal": {"dither"}} | {
    n: {"splitting", "power-sums", "threshold-splitting"} for n in SCENARIOS if n.startswith("a guess")
}
SILENT = {"guess"}  # sees no score
OWN = {"swell", "ones", "scaled", "prefix", "passes", "codes", "consistent", "signs", "counting", "one-row", "chunks",
       "free-block", "square-block", "pivot", "ranks", "descent", "patterns", "groups", "room", "split-labels",
       "split-design", "split-peel", "split-threshold", "split-count", "split-members", "split-mean",
       "class-counting"}  # fmt: skip
"""Attacks whose rows are charged otherwise than is reckoned here: their own tests change the scores that they see."""


def tried(name: str) -> Iterator[Candidate]:
    return (one for one in certified(name) if one.attack in ONLY.get(name, {one.attack}))


def test_every_attack_of_the_catalogue_is_among_them() -> None:
    assert {one.attack for name in SCENARIOS for one in tried(name)} | SILENT | OWN == set(BY_ID)


# -- what labels predict ----------------------------------------------------------------------------------


def charged(channel: Channel, labels: Any, query: Any, clip: Fraction | None) -> Counter[Fraction]:
    """The probabilities that labels are charged for; a row that nobody speaks of is even."""
    rows = query.tolist() if query.ndim == 1 else map(tuple, query.tolist())
    counted: Counter[Fraction] = Counter()
    for (row, label), times in Counter(zip(rows, labels.tolist(), strict=True)).items():
        entry = row if query.ndim == 1 else row[label]
        p = Fraction(int(entry.numerator), int(entry.denominator)) if hasattr(entry, "denominator") else Fraction(entry)
        p = p if clip is None else min(max(p, clip), 1 - clip)
        p = 1 - p if query.ndim == 1 and label == 0 else p
        counted[p if label >= 0 else Fraction(1, channel.classes)] += times
    return counted


def loss_of(channel: Channel, labels: Any, query: Any, clip: Fraction | None) -> arb:
    counted = charged(channel, labels, query, clip)
    if 0 in counted:
        return arb.pos_inf()
    return sum((-times * ball(p).log() for p, times in counted.items()), arb(0)) / len(labels)


def own_clip(channel: Channel) -> Fraction | None:
    return None if channel.clip is None else Fraction(channel.clip.lo)


def allowed(candidate: Candidate, loss: arb) -> arb:
    """How far a score may be from the loss: the certified error, and what entries and reading add to it."""
    assert candidate.certified
    assert candidate.channel
    channel, p = candidate.channel, candidate.certified.certificate.parameters
    if isinstance(p, Spread):
        wrong = p.wrong * p.gap / p.rows if isinstance(p, HadamardMean) else 0.0
        return ball(p.tolerance) * 1.001 + wrong + 1e-12
    error = channel.errors(p.queries).score_error(loss)
    if isinstance(p, DesignStages):
        return error.max(design_error(channel, p) / channel.scored) * 1.02 + arb(2) ** -50
    if isinstance(p, Splitting):
        own = splitting_error(channel, p)
        stages = p.stages
        return (own if stages is None else own.max(design_error(channel, stages))) / channel.scored * 1.02
    if isinstance(p, PowerSums):
        own = weighing_error(channel, p.queries, p.labels, p.radius, largest_weight(p))
        return own / channel.scored * 1.02
    if isinstance(p, PrimePowers) and not p.exact:
        error += prime_deviation(channel, p) / channel.scored
    if isinstance(channel.precision, Arbitrary) and channel.shown is None:
        # a real number is read to finitely many digits: a sixteenth of the gap, for primes half of an integer
        gaps = [float(one.left.hi) for one in candidate.certified.certificate.inequalities if "gap of" in one.name]
        error += 1 / channel.scored if isinstance(p, PrimePowers) else gaps[0] / 16 / channel.scored
    return error * 1.02 + arb(2) ** -50


def explains(candidate: Candidate, labels: Any, seen: Recorded) -> bool:
    """Whether labels predict every score that was seen; repeats of one query are averaged, as they are promised."""
    assert candidate.channel
    assert candidate.certified
    channel = candidate.channel
    p = candidate.certified.certificate.parameters
    repeats = p.repeats if isinstance(p, Spread) else 1
    for at in range(0, len(seen), repeats):
        loss = loss_of(channel, labels, seen[at][0], own_clip(channel))
        shown = [score for _, score in seen[at : at + repeats]]
        if (shown[0] == math.inf) is loss.is_finite():
            return False
        if not loss.is_finite():
            continue
        if candidate.attack == "zero" and isinstance(channel.precision, Arbitrary):
            continue  # no digit of a finite score is needed, so none is promised
        centre = ball(channel.law.centre)
        mean = sum((ball(exactly(one)) for one in shown), arb(0)) / repeats
        if abs(mean - centre - loss) > allowed(candidate, loss):
            return False
    return True


def exactly(score: Any) -> Fraction:
    return midpoint(score) if hasattr(score, "mid") else Fraction(score)


# -- scorers ----------------------------------------------------------------------------------------------


def shown(channel: Channel, value: Any) -> Any:
    """An honest presentation of a loss."""
    if value == math.inf:
        return math.inf
    if isinstance(channel.shown, Decimals):
        return round(float(value), channel.shown.digits)
    if isinstance(channel.precision, FixedPoint):
        return Fraction(round(value * 2**channel.precision.fraction_bits), 2**channel.precision.fraction_bits)
    return value if isinstance(channel.precision, Arbitrary) else float(value)


def exact_loss(channel: Channel, labels: Any, query: Any, clip: Fraction | None) -> Any:
    with ctx.workprec(400):
        loss = loss_of(channel, labels, query, clip)
        return midpoint(loss) if loss.is_finite() else math.inf


def unit_of(channel: Channel) -> Fraction:
    if isinstance(channel.shown, Decimals):
        return Fraction(1, 10**channel.shown.digits)
    bound = upper(channel.law.within(channel.delta, 1))
    return max(bound, Fraction(1, 10**6))


def hostile(channel: Channel, labels: Any) -> Iterator[tuple[str, Honest]]:
    """Scorers that are not the scenario's, by name."""
    coins = np.random.default_rng(5)
    unit, clip = unit_of(channel), own_clip(channel)

    def raw(u: Any, hidden: Any = labels, clip: Fraction | None = clip) -> Any:
        return exact_loss(channel, hidden, u, clip)

    def moved(value: Any, by: Fraction) -> Any:
        return shown(channel, value + by if value != math.inf else value)

    def truncated(u: Any) -> Any:
        value = raw(u)
        return value if value == math.inf else math.floor(value / unit) * unit

    def skipped(u: Any) -> Any:
        return shown(channel, exact_loss(channel, labels[1:], u[1:], clip))

    def noisy(u: Any) -> Any:
        return moved(raw(u), 3 * unit * int(coins.integers(-1000, 1001)) / 1000)

    def changing(u: Any) -> Any:
        return shown(channel, raw(u, labels if coins.integers(2) else labels[::-1]))

    yield "truncates", truncated
    yield "skips a row", skipped
    yield "three times the noise", noisy
    yield "clips at 0.01", lambda u: shown(channel, raw(u, clip=Fraction(1, 100)))
    yield "changes its labels", changing
    yield "other labels", lambda u: shown(channel, raw(u, (labels + 1) % channel.classes))
    yield "log base 2", lambda u: moved(raw(u), raw(u) * Fraction(4427, 10000) if raw(u) != math.inf else Fraction(0))
    for constant in (0.0, round(math.log(channel.classes), 5), math.nan, math.inf, -math.inf, "oops", None, 1j):
        yield f"always {constant}", lambda u, constant=constant: constant


def asked(candidate: Candidate, scorer: Honest) -> tuple[Any, Recorded]:
    """What an attack finds, and all that it asked and saw."""
    seen: Recorded = []

    def score(u: Any) -> Any:
        seen.append((u, scorer(u)))
        return seen[-1][1]

    attack, channel = candidate.build(), candidate.channel
    assert channel
    known = channel.secret.informed
    return (attack.knowing(guessed(channel)) if known else attack).recover(score), seen


def hidden(channel: Channel) -> Any:
    return np.random.default_rng(3).integers(0, channel.classes, channel.rows)


def guessed(channel: Channel) -> Any:
    """As many labels wrong as the guess may have."""
    guess = hidden(channel)
    wrong = np.random.default_rng(4).permutation(channel.rows)[: channel.radius]
    guess[wrong] = (guess[wrong] + 1) % channel.classes
    return guess


def case(name: str, attack: str) -> tuple[Candidate, Channel, Any]:
    return board(next(one for one in certified(name) if one.attack == attack))


def board(candidate: Candidate) -> tuple[Candidate, Channel, Any]:
    channel = candidate.channel
    assert channel
    return candidate, channel, hidden(channel)


@pytest.mark.parametrize("name", SCENARIOS)
def test_an_honest_scorer_is_explained_by_the_labels_alone(name: str) -> None:
    for candidate, channel, labels in map(board, tried(name)):

        def honest(u: Any, channel: Channel = channel, labels: Any = labels) -> Any:
            return shown(channel, exact_loss(channel, labels, u, own_clip(channel)))

        found, seen = asked(candidate, honest)
        spoken = found >= 0
        assert (found[spoken] == labels[spoken]).all(), candidate.attack
        assert spoken.sum() >= channel.wanted, candidate.attack
        with ctx.workprec(200):
            assert explains(candidate, found, seen), candidate.attack
            other = np.where(spoken, (found + 1) % channel.classes, found)
            assert candidate.attack.endswith("-apa") or not explains(candidate, other, seen), candidate.attack


@pytest.mark.parametrize("name", SCENARIOS)
def test_labels_returned_explain_every_score(name: str) -> None:
    for candidate, channel, labels in map(board, tried(name)):
        for kind, scorer in hostile(channel, labels):
            try:
                found, seen = asked(candidate, scorer)
            except InconsistentScores:
                continue
            with ctx.workprec(200):
                assert explains(candidate, found, seen), (
                    f"{candidate.attack}, {kind}: labels that do not explain the scores"
                )


@pytest.mark.parametrize("name", ["no clip", "no clip, planned ahead", "no clip, classes"])
def test_a_zero_test_notices_a_scorer_that_clips_after_all(name: str) -> None:
    candidate, channel, random = case(name, "zero")
    for labels in (random, np.zeros_like(random), np.full_like(random, channel.classes - 1)):
        for clip in (Fraction(1, 10**15), Fraction(1, 10**300)):
            with pytest.raises(InconsistentScores):
                asked(
                    candidate, lambda u, labels=labels, clip=clip: shown(channel, exact_loss(channel, labels, u, clip))
                )


def test_a_score_far_from_both_labels_is_noticed() -> None:
    """Five units off is far beyond the error of half a unit, and still far nearer to one label than to the other."""
    candidate, channel, labels = case("few decimals", "one-label")
    with pytest.raises(InconsistentScores):
        asked(candidate, lambda u: shown(channel, exact_loss(channel, labels, u, own_clip(channel))) + 5e-3)

"""A certificate is a promise about one channel: whatever is changed of record or channel, it is refused or still kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.walks import trusted
from dsl import loads
from dsl.numbers import Real
from dsl.scenario import (
    Arbitrary,
    BestOnly,
    Bounded,
    CappedAt,
    ChangesOnly,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    LadderOf,
    Laplace,
    Multiplicative,
    NoNoise,
    Plain,
    Significant,
    Summation,
    Uniform,
)
from planner import plan
from planner.attacks.attack import InconsistentScores
from planner.attacks.parameters import Parameters
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.channel.facts import facts_of
from planner.channel.mechanisms import LAWS
from planner.channel.metrics import METRICS
from planner.considering import consider
from planner.designs import PARTS
from planner.designs.base import DesignError
from planner.model import Candidate
from tests.planner.bench import rows_scored, scorer_of

RUNS, FEW, LARGE = (
    range(4),
    (1, 2),
    30,
)  # runs of a promise: all labels equal, twice, then random ones; few if it is large
MOST_LINES = 1000  # of the functions that one proof enters
SURE = "confidence = 99.9999%"

FAMILIES = {
    "primes-apa": "N = 6; phi = arbitrary",
    "primes-fpa": "N = 6; phi = 40",
    "prime-powers-apa": "N = 5; K = 3; phi = arbitrary",
    "prime-powers-fpa": "N = 5; K = 3; columns = 3; phi = 48",
    "subset-sums-apa": "N = 6; phi = arbitrary; noise = bounded(0.1); time = exponential",
    "subset-sums-fpa": "N = 7; clip = 1e-15; noise = bounded(0.01)",
    "one-label": "N = 7; clip = 1e-6; noise = multiplicative(0.2)",
    "block": "N = 9; clip = 1e-15; decimals = 2; columns = 2",
    "block exact": "N = 9; phi = arbitrary",
    "block free": "N = 9; phi = arbitrary; noise = multiplicative(0.01)",
    "conway-guy": "N = 12; clip = 1e-15; noise = bounded(0.105)",
    "descent": "N = 40; clip = 1e-6; decimals = 4; release = ladder(1/5)",
    "patterns": "N = 20; clip = 1e-6; decimals = 4; release = ladder(1/20, 7/10); goal = 90%",
    "groups": "N = 40; clip = 1e-9; decimals = 4; release = ladder(1/50, 7/10); guess = 95%; goal = 40%",
    "room": f"N = 90; clip = 1e-9; decimals = 4; release = ladder(1/4); goal = 5%; {SURE}",
    "growing-block": "N = 40; clip = 1e-4; noise = multiplicative(0.05)",
    "digits": "N = 7; K = 3; clip = 1e-15; decimals = 2; columns = 3",
    "ones": "N = 9; K = 3; scorer = sklearn; decimals = significant(3)",
    "ones binary": "N = 9; columns = 2; scorer = sklearn; decimals = 2",
    "scaled": "N = 9; columns = 2; scorer = sklearn; decimals = 0",
    "scaled ternary": "N = 7; K = 3; scorer = sklearn; decimals = 0; noise = bounded(1)",
    "prefix": "N = 7; K = 3; scorer = sklearn; decimals = 0; noise = bounded(1)",
    "consistent": f"N = 120; columns = 2; scorer = sklearn; decimals = 0; {SURE}",
    "swell": f"N = 240; clip = 1e-9; decimals = 1; {SURE}",
    "swell noisy": f"N = 240; columns = 2; clip = 1e-9; decimals = significant(2); noise = gaussian(0.01); {SURE}",
    "passes": f"N = 60; K = 3; scorer = sklearn; decimals = 0; noise = uniform(0, 0.1); {SURE}",
    "codes": f"N = 40; K = 3; clip = 1e-3; scorer = sklearn; noise = gaussian(0.1); {SURE}",
    "signs": f"N = 24; columns = 2; scorer = sklearn; decimals = 0; time = exponential; {SURE}",
    "signs ternary": "N = 12; K = 3; scorer = sklearn; decimals = 0; noise = bounded(1/10); time = exponential",
    "consistent noisy": f"N = 60; columns = 2; scorer = sklearn; decimals = 0; noise = gaussian(0.1); {SURE}",
    "design": "N = 12; clip = 1e-15; decimals = 1; columns = 2",
    "design skew": "N = 20; clip = 1e-3; decimals = 1",
    "design pair": "N = 40; clip = 1e-3; decimals = 1",
    "design scalar": "N = 80; clip = 1e-15; decimals = 2; columns = 2",
    "design lattice": "N = 80; clip = 1e-5; decimals = 1",
    "design ternary": "N = 9; K = 3; clip = 1e-15; decimals = 2; columns = 3",
    "batches": "N = 9; K = 5; clip = 1e-15; decimals = 2; columns = 5",
    "threshold": "N = 9; clip = 1e-15; decimals = 0; columns = 2",
    "threshold offset": "N = 40; clip = 1e-15; decimals = 0",
    "dither": "N = 120; clip = 1e-15; decimals = 0; columns = 2",
    "threshold-splitting": "N = 40; clip = 1e-15; decimals = 0; columns = 2; guess = 95%",
    "spread": f"N = 12; clip = 1e-15; noise = gaussian(0.2); {SURE}",
    "hadamard": "N = 12; clip = 1e-15; noise = bounded(1.6); goal = 75%",
    "hadamard random": f"N = 12; clip = 1e-15; noise = laplace(0.2); {SURE}; columns = 2",
    "zero": "N = 9; K = 3; columns = 3; noise = bounded(1)",
    "zero listed": "N = 9; noise = bounded(1); adaptive = no",
    "guess": "N = 9; guess = 70%; goal = 70%; clip = 1e-9; decimals = 3",
    "splitting": "N = 12; guess = 75%; clip = 1e-15; decimals = 1; columns = 2",
    "splitting one column": "N = 14; guess = 80%; clip = 1e-15; decimals = 2",
    "splitting power sums": "N = 20; guess = 95%; clip = 1e-9; decimals = 2; columns = 2",
    "splitting ternary": "N = 9; K = 3; guess = 75%; clip = 1e-15; decimals = 2; columns = 3",
    "power-sums": "N = 12; guess = 75%; clip = 1e-15; decimals = 1; columns = 2; adaptive = no",
    "power-sums one column": "N = 14; guess = 80%; clip = 1e-15; decimals = 2",
    "split-labels": "N = 12; public = 5; clip = 1e-15; decimals = 3; columns = 2",
    "split-labels one column": "N = 14; public = 12; clip = 1e-9; decimals = 2",
    "split-labels some": "N = 14; public = 7; clip = 1e-9; decimals = 3; goal = 70%",
    "split-labels scalar": "N = 80; public = 30; clip = 1e-15; decimals = 3; columns = 2",
    "split-labels ternary": "N = 9; K = 3; public = 4; clip = 1e-15; decimals = 3; columns = 3",
    "split-peel": "N = 9; K = 3; public = 4; clip = 1e-15; decimals = 3; columns = 3",
    "split-peel both": "N = 10; K = 4; public = 6; clip = 1e-9; decimals = 3; columns = 4; find = labels_and_split",
    "split-count": "N = 12; public = 3; clip = 1e-15; decimals = 2; find = labels_and_split",
    "split-count classes": "N = 9; K = 4; public = 4; clip = 1e-9; decimals = 2; columns = 4",
    "split-members": "N = 9; public = 4; scorer = sklearn; decimals = 2; columns = 2; find = labels_and_split",
    "split-members ternary": "N = 7; K = 3; public = 5; scorer = sklearn; decimals = 2; columns = 3",
    "split-mean": f"N = 9; public = 6; clip = 1e-6; columns = 2; noise = laplace(0.2); {SURE}",
    "split-threshold": "N = 9; public = 6; clip = 1e-15; decimals = 0; columns = 2",
    "split-threshold both": "N = 9; public = 7; clip = 1e-6; decimals = 0; noise = bounded(0.1); find = labels_and_split",
    "split-design range": "N = 7; public = between(2, 4); clip = 1e-15; decimals = 1; columns = 2; find = labels_and_split",
    "split-design": "N = 12; public = 5; clip = 1e-15; decimals = 3; columns = 2; find = labels_and_split",
    "split-design one column": "N = 14; public = 9; clip = 1e-9; decimals = 2; find = labels_and_split",
    "split-design signs": "N = 12; public = 9; clip = 1e-15; decimals = 0; columns = 2; find = labels_and_split",
    "block brier": "N = 9; metric = brier; decimals = 3",
    "conway-guy brier": "N = 12; metric = brier; noise = bounded(0.01)",
    "growing-block brier": "N = 40; metric = brier; noise = multiplicative(0.01)",
    "design brier": "N = 12; metric = brier; decimals = 3",
    "splitting brier": "N = 12; metric = brier; guess = 75%; decimals = 3",
    "threshold brier": "N = 9; metric = brier; decimals = 1",
    "dither brier": "N = 120; metric = brier; decimals = 2",
    "spread brier": f"N = 12; metric = brier; noise = gaussian(0.02); {SURE}",
    "hadamard brier": "N = 12; metric = brier; noise = bounded(0.07); goal = 75%",
    "design brier classes": "N = 12; K = 3; metric = brier; decimals = 3; columns = 3",
    "batches half brier": "N = 12; K = 5; metric = half_brier; decimals = 4; columns = 5",
    "splitting brier classes": "N = 9; K = 3; metric = brier; guess = 75%; decimals = 3; columns = 3",
    "spread brier classes": f"N = 12; K = 3; metric = brier; noise = gaussian(0.02); {SURE}",
    "design mse": "N = 12; metric = mse; decimals = 3",
    "block mae": "N = 9; metric = mae; decimals = 3",
    "counting": "N = 12; metric = accuracy; decimals = 2",
    "counting neutral": "N = 14; metric = accuracy; abstain = yes; decimals = 2",
    "counting some": "N = 20; metric = accuracy; goal = 50%; noise = bounded(0.02)",
    "counting f1": "N = 10; metric = f1; decimals = 2",
    "counting told": "N = 12; metric = recall; positives = 5; decimals = 1",
    "free-block": "N = 9; metric = mse; decimals = 0",
    "class-counting": "N = 9; K = 3; metric = accuracy; decimals = 2",
    "pivot": "N = 12; metric = accuracy; abstain = yes; decimals = 1",
    "chunks": "N = 5; metric = recall; decimals = 2",
    "square-block": "N = 9; metric = rmse; decimals = 3",
    "ranks": "N = 12; metric = roc_auc; positives = 5; decimals = 2",
    "ranks counted": "N = 30; metric = roc_auc; positives = 13; decimals = 2",
    "ranks some": "N = 14; metric = roc_auc; positives = 9; goal = 50%; noise = bounded(0.01)",
    "one-row": "N = 9; metric = recall; decimals = 1",
    "one-row controlled": "N = 9; metric = balanced_accuracy; decimals = 1",
    "one-row kappa": "N = 9; metric = kappa; noise = bounded(0.05)",
}


ONE_EACH = [name for name in FAMILIES if name in BY_ID]  # the others differ in their records alone


def channel(text: str) -> Channel:
    (scenario,) = loads(f"scenario family {{ {text} }}")
    return channel_of(scenario)


def certified(name: str) -> tuple[Channel, Candidate]:
    there = channel(FAMILIES[name])
    return there, consider(BY_ID[name.split()[0]], there)


# -- changes --------------------------------------------------------------------------------------------


def changes(value: Any) -> Iterator[Any]:
    """Values near this one and far from it, of the same type."""
    match value:
        case bool():
            yield not value
        case int():
            yield from {value + 1, value - 1, 2 * value, value // 2, 0} - {value}
        case Fraction():
            yield from {value * 2, value / 2, value * Fraction(1001, 1000), value * Fraction(999, 1000)} - {value}
        case str():
            yield from {"nearest", "divide", "prediction", "charged", "logarithm"} - {value}
        case tuple():
            yield from _tuples(value)
        case _ if is_dataclass(value):
            for each in fields(type(value)):
                for other in changes(getattr(value, each.name)):
                    with suppress(DesignError):  # no such design: a record cannot even be written
                        yield replace(value, **{each.name: other})


def _tuples(value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    if not value:
        return
    yield value[1:]
    yield value[:-1]
    yield (*value, value[-1])
    for place in {0, len(value) - 1}:
        for other in changes(value[place]):
            yield (*value[:place], other, *value[place + 1 :])


def changed_records(parameters: Parameters) -> Iterator[tuple[str, Parameters]]:
    for each in fields(type(parameters)):
        for other in changes(getattr(parameters, each.name)):
            yield f"{each.name} = {other!r:.60}", replace(parameters, **{each.name: other})


REALS = [Real.of(Fraction(one)) for one in ("0.3", "0.01", "1e-6")]
FORMATS = (Ieee(64), Ieee(32), Ieee(16), Arbitrary(), FixedPoint(20, 19), FixedPoint(8, 60))
OTHERS: dict[str, tuple[Any, ...]] = {
    "precision": FORMATS,
    "score_precision": FORMATS,
    "clip": (None, Real.of(Fraction(1, 5)), *(Real.of(Fraction(1, 10**k)) for k in (3, 7, 15, 30))),
    "shown": (None, Decimals(0), Decimals(1), Decimals(2), Decimals(3), Significant(2), Significant(9)),
    "noise": (
        NoNoise(),
        *(law(one) for law in (Bounded, Multiplicative, Gaussian, Laplace) for one in REALS),
        Uniform(Real.of(0), REALS[1]),
    ),
    "release": (
        Plain(),
        BestOnly(),
        ChangesOnly(3),
        CappedAt(REALS[0]),
        *(LadderOf(one, start) for one in (Real.of(Fraction(1, 4)), *REALS) for start in (None, Real.of(1))),
    ),
    "response": (None, Real.of(3), Real.of(Fraction(1, 2))),
    "summation": tuple(Summation),
    "clip_of": ("prediction", "charged", "logarithm"),
    "delta": (Fraction(0), Fraction(1, 10**9)),
    "metric_id": ("brier", "accuracy", ""),
    "beside": (("f1",), ("brier", "mse"), ("",)),
}
SILENT = {"budget", "time", "lines", "sources"}  # no certificate speaks of them


def changed_channels(there: Channel) -> Iterator[tuple[str, Channel]]:
    for each in fields(type(there)):
        if each.name in SILENT:
            continue
        now = getattr(there, each.name)
        others = OTHERS.get(each.name) or tuple(changes(now))
        for other in others:
            if other != now and _sensible(replaced := replace(there, **{each.name: other})):
                yield f"{each.name} = {other}", replaced
    for other in FORMATS:
        if other != there.precision:
            yield f"precision = score_precision = {other}", replace(there, precision=other, score_precision=other)
    for other in changes(there.rows):
        if _sensible(replaced := replace(there, rows=other, scored=other)):
            yield f"rows = scored = {other}", replaced


def _sensible(there: Channel) -> bool:
    """Whether the language could describe it."""
    return (
        1 <= there.scored <= there.rows
        and type(there.precision) is type(there.score_precision)
        and there.classes >= 2
        and (there.columns == there.classes or (there.classes == 2 and there.columns == 1))
        and 1 <= there.wanted <= there.rows
        and 0 <= there.uncertain < there.scored
        and there.looser >= 0
    )


def test_every_fact_of_a_channel_is_changed_or_silent():
    """A new field joins the changes: what no certificate may depend on is named."""
    there = channel("N = 9; clip = 1e-9")
    names = {each.name for each in fields(Channel)}
    tried = {text.partition(" = ")[0] for text, _ in changed_channels(there)}
    columns = {"columns"}  # with K
    assert tried | SILENT | columns | {"classes"} == names | columns | {"classes"}


# -- kept -----------------------------------------------------------------------------------------------


def guessed(there: Channel, labels: np.ndarray, draw: np.random.Generator) -> np.ndarray | None:
    """A guess that is as bad as the channel says; None: it says nothing."""
    if not there.secret.informed:
        return None
    wrong = draw.permutation(there.rows)[: min(there.radius, there.rows)]
    guess = labels.copy()
    guess[wrong] = (labels[wrong] + draw.integers(1, there.classes, len(wrong))) % there.classes
    return guess


def labeling(there: Channel, run: int, draw: np.random.Generator) -> np.ndarray | None:
    """All 0, all of the last class, and random ones; None: of such labels the promise does not speak."""
    labels = draw.integers(0, there.classes, there.rows)
    if run <= 1:
        labels = np.full(there.rows, run * (there.classes - 1))
    if there.exactly and there.metric.counts:  # as many ones as the channel says, whatever else is told
        ones = there.rows - there.radius if there.commoner else there.radius
        labels = (draw.permutation(there.rows) < ones).astype(int)
    alike = len(set(labels.tolist())) == 1
    return None if alike and getattr(there.metric, "one_class", True) is False and not there.metric.control else labels


def stored(there: Channel, labels: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """The labels that are scored: as many are flipped as may be."""
    flipped = draw.permutation(there.rows)[: there.flipped]
    held = labels.copy()
    held[flipped] = (labels[flipped] + 1) % there.classes
    return held


def kept(there: Channel, attack: str, parameters: Parameters) -> str | None:
    """How the promise was broken, if it was."""
    certificate = certify(there, parameters)
    if not certificate.holds:
        return None
    promise = certificate.promise
    built = BY_ID[attack].build(there, parameters)
    draw = np.random.default_rng(7)
    for run in FEW if there.rows > LARGE else RUNS:
        labels = labeling(there, run, draw)
        if labels is None:
            continue
        runner = built.knowing(guessed(there, labels, draw))
        score = scorer_of(there, stored(there, labels, draw), 1 - 2 * (run % 2), run)
        asked = []

        def ask(u: np.ndarray, score=score, asked=asked) -> Any:
            asked.append(None)
            return score(u)

        try:
            found = np.asarray(runner.recover(ask))
        except InconsistentScores as fault:
            return f"gave up: {fault}"
        stated, inside = found != -1, np.isin(np.arange(there.rows), rows_scored(there, run))
        wrong = int((found != labels)[stated & inside].sum())
        if int(stated.sum()) < promise.labels or wrong > promise.wrong:
            return f"{wrong} of {promise.labels} labels wrong"
        if promise.membership and ((found == -2) == inside).any():
            return "rows wrongly said to be scored or not"
        if len(asked) > promise.queries:
            return f"{len(asked)} of {promise.queries} queries"
    return None


@pytest.mark.parametrize("name", FAMILIES)
def test_a_changed_record_is_refused_or_its_promise_kept(name, one_in):
    """Half of the changes of one record of each attack, a sixth of those of its other forms."""
    there, one = certified(name)
    assert one.certified is not None, one.reasons
    parameters = one.certified.certificate.parameters
    assert kept(there, one.attack, parameters) is None
    tried = one_in(2 if name in ONE_EACH else 6, changed_records(parameters), name)
    broken = {text: why for text, other in tried if (why := kept(there, one.attack, other))}
    assert not broken


@pytest.mark.parametrize("name", FAMILIES)
def test_a_record_on_a_changed_channel_is_refused_or_its_promise_kept(name, one_in):
    there, one = certified(name)
    assert one.certified is not None, one.reasons
    parameters = one.certified.certificate.parameters
    tried = one_in(23, changed_channels(there), name)
    broken = {text: why for text, other in tried if (why := kept(other, one.attack, parameters))}
    assert not broken


# -- bugs planted in theorems -----------------------------------------------------------------------------


def test_a_theorem_that_speaks_of_fewer_labels_makes_no_plan(monkeypatch):
    """Two wrong lines in a theorem once gave "feasible, recovers all 1,000 labels in 50 queries"."""
    honest = type(BY_ID["block"]).propose

    def propose(self, there):
        found = honest(self, there)
        return (
            found
            if isinstance(found, tuple)
            else replace(found, parameters=replace(found.parameters, labels=600, queries=50))
        )

    monkeypatch.setattr(type(BY_ID["block"]), "propose", propose)
    (scenario,) = loads("scenario a { N = 1000; clip = 1e-15; decimals = 5; columns = 2; queries <= 60 }")
    report = plan(scenario)
    refused = next(one for one in report.candidates if one.attack == "block")
    assert refused.certified is None
    assert "goal" in {one.field for one in refused.reasons}
    assert report.best is None


@pytest.mark.parametrize("attack", ["threshold", "dither"])
def test_a_theorem_that_forgets_adaptivity_makes_no_plan(monkeypatch, attack):
    for family in ("threshold", "dither"):
        monkeypatch.setattr(f"planner.attacks.{family}.theorem.rounding_refusals", lambda theorem, there: ())
    (scenario,) = loads("scenario a { N = 120; clip = 1e-15; decimals = 0; columns = 2; adaptive = no }")
    refused = next(one for one in plan(scenario).candidates if one.attack == attack)
    assert refused.certified is None
    assert "adaptive" in {one.field for one in refused.reasons}


@pytest.mark.parametrize("name", ONE_EACH)
def test_a_theorem_that_forgets_all_conditions_makes_no_plan_that_fails(monkeypatch, name, one_in):
    """No theorem refuses for a condition: the certifier, which asks them again, is all that stands."""
    theorem, forgotten = BY_ID[name.split()[0]], []

    def unmet(self, there, *conditions, see=""):
        forgotten.extend(one for one in conditions if not one.met(there))
        return ()

    monkeypatch.setattr("planner.attacks.theorem.Theorem.unmet", unmet)
    for text, there in one_in(13, changed_channels(channel(FAMILIES[name])), name):
        forgotten.clear()
        try:
            one = consider(theorem, there)
        except (AssertionError, ArithmeticError, ValueError, TypeError, AttributeError):
            continue  # a search that is lost on such a channel promises nothing
        if one.certified is not None and forgotten:
            assert kept(there, one.attack, one.certified.certificate.parameters) is None, text


# -- facts and parts --------------------------------------------------------------------------------------


def test_what_a_record_fixes_is_a_fact_of_every_channel():
    for name in FAMILIES:
        there, one = certified(name)
        certificate = one.certified.certificate
        assert certificate.parameters.fixes.keys() <= facts_of(there).keys()
        assert dict(certificate.promise.assumes) == facts_of(there)


def test_a_record_that_says_nothing_promises_nothing():
    """The safe default: a new kind tells no classes apart until it says so."""
    there = channel("N = 9; clip = 1e-9")
    assert Parameters(queries=1, labels=9).told < there.classes


TRUSTED = Path(__file__).parents[2] / "planner"
CERTIFIERS = (
    "planner.certify",
    *(f"planner.attacks.{file.parent.name}.certify" for file in sorted(TRUSTED.glob("attacks/*/certify.py"))),
)


def imported(module: str, seen: set[str]) -> set[str]:
    """The planner's modules that this one reads, and those that they read; a model also knows how to build an attack."""
    path = TRUSTED.parent / Path(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if module in CERTIFIERS else tree.body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("planner"):
            for alias in node.names:
                inner = TRUSTED.parent / Path(*node.module.split("."), alias.name)
                found = f"{node.module}.{alias.name}" if inner.with_suffix(".py").exists() else node.module
                if found not in seen:
                    seen.add(found)
                    imported(found, seen)
    return seen


def test_what_certificates_rest_on_is_a_list():
    """Whoever doubts a certificate reads these modules: none of them searches, and none is a theorem."""
    parts = {module for module, _ in PARTS.values()}  # of designs: read when a record names them
    metrics = {f"planner.channel.metrics.{file}" for file in METRICS.values()}  # read when a scenario names them
    laws = {f"planner.channel.mechanisms.{file}" for file, _ in LAWS.values()}
    scopes = {name.rpartition(".")[0] for name in CERTIFIERS if name != "planner.certify"}  # with any of their files
    read = {*CERTIFIERS, *parts, *metrics, *laws, *scopes}
    for name in sorted(read):
        imported(name, read)
    listed = (Path(__file__).parent / "trusted.txt").read_text(encoding="utf-8").split()
    assert sorted(read) == listed
    assert not any(name.startswith(("planner.limits", "planner.planning", "planner.catalogue")) for name in read)
    assert not any(name.endswith((".theorem", ".run")) for name in read)


@pytest.mark.parametrize("name", FAMILIES)
def test_what_one_certificate_rests_on_can_be_read(name):
    """The lines of code that its proof enters, whatever lies beside them in their files."""
    _, found = certified(name)
    assert 200 < trusted(found).files.total() < MOST_LINES

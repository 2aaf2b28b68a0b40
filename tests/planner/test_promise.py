"""A certificate is a promise about one channel: whatever is changed of record or channel, it is refused or still kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dsl import loads
from dsl.numbers import Real
from dsl.records import fields, is_dataclass, replace
from dsl.scenario import (
    Arbitrary,
    Bounded,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    NoNoise,
    Significant,
    Summation,
    Uniform,
)
from planner.attack import InconsistentScores
from planner.certify import certify
from planner.channel import Channel, channel_of
from planner.designs.base import DesignError
from planner.model import Candidate
from planner.parameters import Parameters
from planner.planning import consider
from planner.theorems import BY_ID
from tests.planner.bench import scorer_of

RUNS = 8
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
    "growing-block": "N = 40; clip = 1e-4; noise = multiplicative(0.05)",
    "digits": "N = 7; K = 3; clip = 1e-15; decimals = 2; columns = 3",
    "design": "N = 12; clip = 1e-15; decimals = 1; columns = 2",
    "design ternary": "N = 9; K = 3; clip = 1e-15; decimals = 2; columns = 3",
    "batches": "N = 9; K = 5; clip = 1e-15; decimals = 2; columns = 5",
    "threshold": "N = 9; clip = 1e-15; decimals = 0; columns = 2",
    "threshold offset": "N = 40; clip = 1e-15; decimals = 0",
    "dither": "N = 120; clip = 1e-15; decimals = 0; columns = 2",
    "spread": f"N = 12; clip = 1e-15; noise = gaussian(0.2); {SURE}",
    "hadamard": "N = 12; clip = 1e-15; noise = bounded(1.6); goal = 75%",
    "hadamard random": f"N = 12; clip = 1e-15; noise = laplace(0.2); {SURE}; columns = 2",
    "zero": "N = 9; K = 3; columns = 3; noise = bounded(1)",
    "zero listed": "N = 9; noise = bounded(1); adaptive = no",
}


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
OTHERS: dict[str, tuple[Any, ...]] = {
    "precision": (Ieee(64), Ieee(32), Ieee(16), Arbitrary(), FixedPoint(20, 19), FixedPoint(8, 60)),
    "clip": (None, Real.of(Fraction(1, 5)), *(Real.of(Fraction(1, 10**k)) for k in (3, 7, 15, 30))),
    "shown": (None, Decimals(0), Decimals(1), Decimals(2), Decimals(3), Significant(2), Significant(9)),
    "noise": (
        NoNoise(),
        *(law(one) for law in (Bounded, Multiplicative, Gaussian, Laplace) for one in REALS),
        Uniform(Real.of(0), REALS[1]),
    ),
    "summation": tuple(Summation),
    "clip_of": ("prediction", "charged", "logarithm"),
    "delta": (Fraction(0), Fraction(1, 10**9)),
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


def _sensible(there: Channel) -> bool:
    """Whether the language could describe it."""
    return (
        there.N >= 1
        and there.K >= 2
        and (there.columns == there.K or (there.K == 2 and there.columns == 1))
        and 1 <= there.target <= there.N
    )


def test_every_fact_of_a_channel_is_changed_or_silent():
    """A new field joins the changes: what no certificate may depend on is named."""
    there = channel("N = 9; clip = 1e-9")
    names = {each.name for each in fields(Channel)}
    tried = {text.partition(" = ")[0] for text, _ in changed_channels(there)}
    columns = {"columns"}  # with K
    assert tried | SILENT | columns | {"K"} == names | columns | {"K"}


# -- kept -----------------------------------------------------------------------------------------------


def kept(there: Channel, attack: str, parameters: Parameters) -> str | None:
    """How the promise was broken, if it was."""
    certificate = certify(there, parameters)
    if not certificate.holds:
        return None
    promise = certificate.promise
    runner = BY_ID[attack].build(there, parameters)
    draw = np.random.default_rng(7)
    for run in range(RUNS):
        labels = draw.integers(0, there.K, there.N) if run > 1 else np.full(there.N, run * (there.K - 1))
        score = scorer_of(there, labels, 1 - 2 * (run % 2), run)
        asked = []

        def ask(u: np.ndarray, score=score, asked=asked) -> Any:
            asked.append(None)
            return score(u)

        try:
            found = np.asarray(runner.recover(ask))
        except InconsistentScores as fault:
            return f"gave up: {fault}"
        stated = found >= 0
        right = int((found[stated] == labels[stated]).sum())
        if right < promise.labels - promise.wrong or right < int(stated.sum()) - promise.wrong:
            return f"{right} of {promise.labels} labels right"
        if len(asked) > promise.queries:
            return f"{len(asked)} of {promise.queries} queries"
    return None


@pytest.mark.parametrize("name", FAMILIES)
def test_a_changed_record_is_refused_or_its_promise_kept(name):
    there, one = certified(name)
    assert one.certified is not None, one.reasons
    parameters = one.certified.certificate.parameters
    assert kept(there, one.attack, parameters) is None
    broken = {text: why for text, other in changed_records(parameters) if (why := kept(there, one.attack, other))}
    assert not broken


@pytest.mark.parametrize("name", FAMILIES)
def test_a_record_on_a_changed_channel_is_refused_or_its_promise_kept(name):
    there, one = certified(name)
    assert one.certified is not None, one.reasons
    parameters = one.certified.certificate.parameters
    broken = {text: why for text, other in changed_channels(there) if (why := kept(other, one.attack, parameters))}
    assert not broken

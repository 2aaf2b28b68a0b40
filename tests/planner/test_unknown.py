"""Values of kinds that nobody has thought of: no error is ruled out, nothing is promised, nothing excluded."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from backends.ieee import mean
from backends.noise import NoiseSource
from backends.scorers import backend_of
from backends.shown import show
from dsl.numbers import Real
from dsl.scenario import Bounded, Decimals, Scenario
from planner import plan
from planner.catalogue import CATALOGUE
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.channel.errors import hidden
from planner.channel.mechanisms import law_of
from planner.limits import LIMITS, limits_of
from planner.limits.fano import capacity
from planner.model import Verdict
from tests.planner.scenarios import CLIP


@dataclass(frozen=True)
class Cauchy:
    scale: Real


@dataclass(frozen=True)
class Posit:
    bits: int


@dataclass(frozen=True)
class Percentile:
    steps: int


KNOWN = Scenario(name="x", N=100, clip=CLIP, columns=2, noise=Bounded(Real.of(Fraction(1, 10**9))))
STRANGE = {
    "noise": replace(KNOWN, noise=Cauchy(Real.of(10))),  # type: ignore[arg-type]
    "phi": replace(KNOWN, phi=Posit(32)),  # type: ignore[arg-type]
    "score_phi": replace(KNOWN, score_phi=Posit(32)),  # type: ignore[arg-type]
    "decimals": replace(KNOWN, shown=Percentile(100)),  # type: ignore[arg-type]
    "summation": replace(KNOWN, summation="kahan"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("field", "strange"), STRANGE.items(), ids=STRANGE)
def test_nothing_is_promised_of_a_kind_that_is_not_known(field, strange):
    """Noise of an unknown law counted as none, and its scenario as feasible."""
    assert plan(KNOWN).verdict is Verdict.FEASIBLE
    report = plan(strange)
    assert report.verdict is Verdict.UNKNOWN
    assert [one.attack for one in report.candidates] == [one.id for one in CATALOGUE]
    assert all(field in {reason.field for reason in one.reasons} for one in report.candidates)
    assert report.exposure.labels is None


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE)
def test_no_certificate_is_taken_over_to_a_kind_that_is_not_known(strange):
    certified = [one.certified.certificate.parameters for one in plan(KNOWN).candidates if one.certified is not None]
    zero = plan(replace(KNOWN, clip=None)).candidates
    certified += [one.certified.certificate.parameters for one in zero if one.attack == "zero"]
    assert len(certified) > 3
    for channel in (channel_of(strange), channel_of(replace(strange, clip=None))):
        assert not any(certify(channel, parameters).holds for parameters in certified)


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE)
def test_nothing_is_excluded_by_a_kind_that_is_not_known(strange):
    channel = channel_of(replace(strange, queries=1, N=10**6))
    assert not channel.span().is_finite()
    assert not channel.confined
    for limit in (*limits_of(channel), *(theorem.apply(channel) for theorem in LIMITS if theorem.id != "I1")):
        assert not limit.excludes_all
        assert limit.queries is None


@pytest.mark.parametrize("strange", STRANGE.values(), ids=STRANGE)
def test_errors_of_a_kind_that_is_not_known_are_infinite(strange):
    assert not channel_of(strange).errors(1).constant().is_finite()


def test_each_chain_of_cases_ends_safely():
    law = Cauchy(Real.of(10))
    assert not law_of(law).within(Fraction(1, 100), 1).is_finite()
    assert not law_of(law).size().is_finite()
    assert law_of(law).tail_of_mean(10, channel_of(KNOWN).reach()) == 1
    assert not hidden(channel_of(STRANGE["decimals"])).is_finite()
    assert not hidden(channel_of(STRANGE["score_phi"])).is_finite()
    assert not capacity(replace(channel_of(KNOWN), noise=Bounded(Real.of(1)))).is_finite()


def test_no_simulation_makes_up_what_it_does_not_know():
    with pytest.raises(AssertionError):
        show(0.5, Percentile(100))  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        mean(np.ones(3), "kahan")  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        backend_of(STRANGE["phi"])
    with pytest.raises(TypeError):
        NoiseSource(Cauchy(Real.of(1)), np.random.default_rng(0)).draw(lambda: 0.0)  # type: ignore[arg-type]
    assert show(0.26, Decimals(1)) == 0.3

"""How much a plan computes, counted and not timed: searches that tried everything took seconds at the extremes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest

from dsl.numbers import Real
from dsl.scenario import Bounded, Decimals, FixedPoint, Gaussian, Multiplicative, Noise, NoNoise, Scenario
from planner.attacks.block import subset_sums
from planner.attacks.digits import theorem as digits
from planner.attacks.spread import theorem as spread
from planner.catalogue import BY_ID
from planner.certify import certify
from planner.channel.channel import Channel, channel_of
from planner.considering import consider
from planner.designs import mixtures

CLIP = Real.of(Fraction(1, 10**15))


def channel(N: int, K: int = 2, **more: Any) -> Channel:
    return channel_of(Scenario("test", N, K=K, columns=1 if K == 2 else K, clip=more.pop("clip", CLIP), **more))


def small(digits: int) -> Real:
    return Real.of(Fraction(1, 10**digits))


def counted(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[tuple[Any, ...]]:
    """The calls that a module makes of one of its functions from now on."""
    calls: list[tuple[Any, ...]] = []
    real: Callable[..., Any] = getattr(module, name)

    def noted(*arguments: Any, **named: Any) -> Any:
        calls.append(arguments)
        return real(*arguments, **named)

    monkeypatch.setattr(module, name, noted)
    return calls


def test_designs_of_many_classes_are_left_to_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Telling ten thousand classes directly took seconds to plan, and saves a few queries in a hundred at best."""
    calls = counted(monkeypatch, mixtures, "best_kary")
    many = channel(1000, 10**4)
    (reason,) = consider(BY_ID["design"], many).reasons
    assert (reason.field, reason.have) == ("K", "K = 10000: batches do")
    assert consider(BY_ID["batches"], many).certified is not None
    assert not calls


def test_a_block_that_growing_noise_drowns_is_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, subset_sums, "certify")
    noisy = channel(1000, clip=None, phi=FixedPoint(2, 1000), noise=Multiplicative(small(2)))
    assert consider(BY_ID["subset-sums-fpa"], noisy).certified is None
    assert [parameters.m for _, parameters in calls] == [1]  # one label, to say why


def test_rows_of_digits_are_written_once_or_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, digits, "_block")
    assert consider(BY_ID["digits"], channel(1000, 100)).certified is not None
    assert len(calls) <= 2


def test_probabilities_of_a_million_classes_are_not_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, digits, "_row")
    assert consider(BY_ID["digits"], channel(1000, 10**6)).certified is None
    assert not calls


def test_no_base_is_larger_than_all_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = counted(monkeypatch, spread, "least_order")
    quiet = channel(20, 3, noise=Gaussian(small(6)), confidence=1 - Fraction(1, 10**9))
    assert consider(BY_ID["spread"], quiet).certified is not None
    assert [base for _, _, base in calls] == list(range(1, 21))


@pytest.mark.parametrize("noise", [NoNoise(), Bounded(small(6))])
def test_averages_are_not_certified_where_nothing_is_random(noise: Noise) -> None:
    found = consider(BY_ID["spread"], channel(100, noise=Gaussian(small(6)))).certified
    assert found is not None
    assert not certify(channel(100, noise=noise), found.certificate.parameters).holds


@pytest.mark.parametrize("decimals", [2, 3, 4])
def test_dither_shares_its_chances_among_the_bits_of_a_class(decimals: int) -> None:
    assert consider(BY_ID["dither"], channel(10**6, 10, shown=Decimals(decimals))).certified is not None

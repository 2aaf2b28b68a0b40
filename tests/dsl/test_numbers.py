from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dsl
from dsl.checking import intervals
from dsl.numbers import Real

positive = st.fractions(min_value=Fraction(1, 10**30), max_value=10**30)
near_one = st.integers(2, 10**40).map(lambda n: 1 + Fraction(1, n))


def board(*lines: str) -> dsl.Scenario:
    (scenario,) = dsl.loads("scenario board {\n" + "\n".join(lines) + "\n}")
    return scenario


def encloses(ball: Real, truth: Callable[[], mpmath.mpf], bits: int) -> None:
    with mpmath.workprec(4 * bits):
        value = truth()
        assert mpmath.mpf(ball.lo.numerator) / ball.lo.denominator <= value
        assert value <= mpmath.mpf(ball.hi.numerator) / ball.hi.denominator
    assert ball.hi - ball.lo <= abs(ball.hi) / 2 ** (bits - 4)


def ratio(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


@given(positive | near_one, st.sampled_from([64, 256, 700]))
def test_logarithms_are_enclosed(value: Fraction, bits: int) -> None:
    if value != 1:
        encloses(intervals.log(Real.of(value), bits), lambda: mpmath.log(ratio(value)), bits)


@given(st.fractions(min_value=-2800, max_value=2800), st.sampled_from([64, 256, 700]))
def test_exponentials_are_enclosed(value: Fraction, bits: int) -> None:
    if value:
        encloses(intervals.exp(Real.of(value), bits), lambda: mpmath.exp(ratio(value)), bits)


@given(positive, st.sampled_from([64, 256, 700]))
def test_roots_are_enclosed_or_exact(value: Fraction, bits: int) -> None:
    root = intervals.sqrt(Real.of(value), bits)
    assert root.lo**2 <= value <= root.hi**2
    assert root.hi - root.lo <= root.hi / 2 ** (bits - 4)
    assert intervals.sqrt(Real.of(value**2), bits) == Real.of(value)


@settings(deadline=None)
@given(st.integers(1, 10**17), st.integers(2, 40))
def test_budgets_are_floored_exactly(n: int, k: int) -> None:
    assert board(f"N = {n}", f"queries <= log2(N^{k})").queries == (n**k).bit_length() - 1
    assert board(f"N = {n}", f"queries <= N/{k}").queries == n // k


@pytest.mark.parametrize("exponent", range(1, 60))
def test_a_logarithm_at_a_power_of_two_is_not_decided_by_a_last_bit(exponent: int) -> None:
    below, at, above = (2**exponent + step for step in (-1, 0, 1))
    assert board(f"N = {at}", "queries <= log2(N)").queries == exponent
    assert board(f"N = {above}", "queries <= log2(N)").queries == exponent
    assert board(f"N = {below}", "queries <= log2(N)").queries == exponent - 1


def test_a_question_far_past_double_precision_is_decided() -> None:
    assert board("N = 7", "queries <= 10^12 + 1e-300*sqrt(2)").queries == 10**12
    assert board("N = 7", "queries <= 10^12 - 1e-300*sqrt(2)").queries == 10**12 - 1


def test_irrational_values_have_at_least_200_bits() -> None:
    clip = board("N = 7", "clip = exp(-100)").clip
    assert clip is not None
    assert not clip.exact
    assert clip.hi - clip.lo <= clip.lo / 2**200


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("25_000", 25000),
        ("2^3^2", 512),
        ("-2^2 + 8", 4),
        ("(-2)^2", 4),
        ("7 - 2 - 1", 4),
        ("64/4/2", 8),
        ("2^-1*8", 4),
        ("400%", 4),
        ("50%*8", 4),
        ("8/2*2", 8),
        ("+3", 3),
        ("2**10", 1024),
        ("min(3, 1, 2)", 1),
        ("max(3, 1, 2)", 3),
        ("floor(7/2)", 3),
        ("ceil(7/2)", 4),
        ("round(7/2)", 4),
        ("round(-7/2) + 5", 2),
        ("abs(3 - 8)", 5),
        ("log10(1000)", 3),
        ("log2(1/8) + 4", 1),
        ("sqrt(16/9)*3", 4),
        ("16^(1/2)", 4),
        ("8^0", 1),
        ("floor(exp(1))", 2),
        ("27^(1/3)", 3),
        ("(8/27)^(2/3)*9", 4),
        ("floor(28^(1/3))", 3),
        ("abs(floor(-1/2))", 1),
        ("(1)^(10^9)", 1),
        ("(-1)^(10^9 + 1) + 2", 1),
    ],
)
def test_arithmetic(text: str, value: int) -> None:
    assert value == board(f"N = {text}").N


def test_noise_keeps_its_exact_parameters() -> None:
    assert (
        board("N = 8", "noise = bounded(1/(3*N))").noise
        == dsl.loads("scenario board { N = 8; noise = bounded(1/24) }")[0].noise
    )

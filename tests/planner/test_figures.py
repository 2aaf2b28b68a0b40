"""Figures that a reader can check: what is proved shows in the printed bounds, and no refusal states a need that is met."""

from __future__ import annotations

import random
import re
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from flint import arb

import dsl
from planner import plan
from planner.numerics.reals import ball, bound, brief, compare, told_apart, working
from tests.planner.known import candidate
from tests.planner.scenarios import random_scenario

NUMBER = r"-?[\d.]+(?:e[+-]?\d+)?|∞"
SIDE = rf"(?:\[({NUMBER}), ({NUMBER})\]|({NUMBER}))$"
DIGITS = 3000  # at which printed bounds are compared


def number(text: str) -> Decimal:
    if "*2^" in text:
        mantissa, _, exponent = text.partition("*2^")
        return Decimal(mantissa) * Decimal(2) ** int(exponent)
    return Decimal("Infinity") if text == "∞" else Decimal(text)


def shows(one) -> bool:
    """Whether the relation can be seen from the printed bounds alone."""
    with localcontext(prec=DIGITS, Emax=10**9, Emin=-(10**9)):
        low, high = (number(one.left.lo), number(one.left.hi)), (number(one.right.lo), number(one.right.hi))
        return {
            ">": low[0] > high[1], ">=": low[0] >= high[1], "<": low[1] < high[0], "<=": low[1] <= high[0]
        }[one.relation]  # fmt: skip


@pytest.fixture(scope="module")
def reports():
    return [plan(random_scenario(random.Random(seed), most=300)) for seed in range(60)]


def test_every_proved_inequality_shows_in_its_figures(reports):
    checked = 0
    for report in reports:
        proofs = [*report.limits, *(one.certified.certificate for one in report.candidates if one.certified)]
        for one in (one for proof in proofs for one in proof.inequalities if one.holds):
            assert shows(one), one
            checked += 1
    assert checked > 500


@pytest.mark.parametrize("bits", [10, 40, 200, 900])
@pytest.mark.parametrize("relation", [">", ">=", "<", "<="])
def test_sides_that_nearly_meet_are_printed_apart(relation, bits):
    """0.00012900000 > 0.00012900000 was said to hold."""
    less, more = Fraction("0.000129"), Fraction("0.000129") * (1 + Fraction(1, 2**bits))
    left, right = (more, less) if ">" in relation else (less, more)
    one = compare("thin", lambda: ball(left), relation, lambda: ball(right))
    assert one.holds
    assert shows(one)
    assert len(one.left.lo) < 20 + bits  # and with no more digits than it takes


@pytest.mark.parametrize("value", [Fraction(3, 8), Fraction(1, 2**53), 2**70 + 1, 10**20, Fraction(3, 2**60)])
def test_equal_sides_are_printed_as_equal(value):
    one = compare("equal", lambda: ball(value), ">=", lambda: ball(value))
    assert one.holds
    assert shows(one)


def test_numbers_that_are_far_apart_keep_eight_digits():
    assert str(bound(ball(Fraction(1, 3)))) == "[0.33333333, 0.33333334]"
    one = compare("far", lambda: ball(Fraction(2, 3)), ">", lambda: ball(Fraction(1, 3)))
    assert (one.left.lo, one.right.hi) == ("0.66666666", "0.33333334")


def is_met(need: str, have: str) -> bool | None:
    """Whether what a scenario has satisfies what is asked of it; None where they are no numbers."""
    wanted = re.search(rf"(<=|>=|<|>)\s*(?:[^<>]*= )?{SIDE}", need)
    found = re.search(rf"(?:^|= ){SIDE}", have)
    if not wanted or not found:
        return None
    relation, *ends = wanted.groups()
    low, high = number(ends[0] or ends[2]), number(ends[1] or ends[2])
    least, most = number(found[1] or found[3]), number(found[2] or found[3])
    return {">": least > high, ">=": least >= high, "<": most < low, "<=": most <= low}[relation]


def test_no_refusal_states_a_need_that_is_met(reports):
    """ "needs 2 N τ ln 3 <= 34.5; here: 6.3e-14"."""
    told = 0
    for report in reports:
        for one in report.candidates:
            met = [(each, is_met(each.need, each.have)) for each in one.reasons]
            assert not [each for each, yes in met if yes], one.attack
            told += sum(yes is False for _, yes in met)
    assert told > 50


REFUSED = {
    "subset-sums-fpa": "N = 100; scorer = sklearn; noise = multiplicative(0.001)",
    "design": "N = 60; noise = multiplicative(0.05); phi = float64; columns = 1",
    "primes-fpa": "N = 8; clip = 0.2; noise = multiplicative(0.0588)",
    "prime-powers-fpa": "N = 30; K = 3; clip = 1e-3; noise = multiplicative(0.012)",
}


@pytest.mark.parametrize("attack", REFUSED)
def test_a_refusal_names_the_condition_that_fails(attack):
    """What was stated was the error of idle rows, with which the attack would have been certified."""
    (scenario,) = dsl.loads(f"scenario x {{ {REFUSED[attack]} }}")
    found = candidate(plan(scenario), attack)
    assert found.certified is None
    assert [is_met(one.need, one.have) for one in found.reasons] == [False] * len(found.reasons)


def test_numbers_of_a_refusal_are_short_and_told_apart():
    """ "needs W >= [0.69314718, 0.69314719], has [-6.3e-41, 6.3e-41]" is no sentence for people."""
    with working(200):
        assert brief(arb(2).log()) == "0.6931"
        assert brief(arb(0, 1e-40)) == "0"
        assert brief(arb.pos_inf()) == "∞"
        assert [brief(one) for one in (arb.neg_inf(), arb(0, float("inf")), arb("nan"))] == ["not known"] * 3
        near = arb(2).log() - arb(2) ** -14
        assert told_apart(bound(near), bound(arb(2).log())) == ("0.69309", "0.69315")
        assert told_apart(bound(arb(2)), bound(arb(2))) == ("as much, as far as can be told", "2")


def test_no_refusal_shows_an_enclosure(reports):
    reasons = [one for report in reports for each in report.candidates for one in each.reasons]
    assert reasons
    assert not [str(one) for one in reasons if re.search(r"\[-?[0-9+]", str(one)) or "bits=" in str(one)]

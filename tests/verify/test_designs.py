"""Designs as the checker reads them from records: what the planner's own say, and what their rows really are."""

from __future__ import annotations

from fractions import Fraction

import pytest

from planner.attacks.design.parameters import DesignStages
from planner.designs.butterfly import Butterfly
from planner.designs.chooser import best_design, designs
from planner.designs.sets import BitSet
from threatplan.verify.designs import design_of

AMPLITUDES = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(13, 5), Fraction(7), Fraction(41, 3), Fraction(200)]


def record(design):
    return DesignStages(1, 1, design, Fraction(1), 1).to_json()["design"]


def must_agree(design, labels):
    own = design_of(record(design))
    assert (own.M, own.K, own.capacity, own.amplitude) == (design.M, design.K, design.capacity(), design.amplitude)
    assert own.l1(labels) == design.row_l1_bound(labels)
    assert own.sound
    return own


@pytest.mark.parametrize("amplitude", AMPLITUDES)
def test_binary_designs_of_every_kind(amplitude):
    for labels in (1, 7, 300, 10**6):
        for design in designs(labels, amplitude):
            must_agree(design, labels)


@pytest.mark.parametrize("K", [3, 4, 5, 7, 10])
def test_designs_of_classes(K):
    for labels, A in ((5, 9), (60, 40), (2000, 1000)):
        must_agree(best_design(labels, Fraction(A), K), labels)


@pytest.mark.parametrize("amplitude", AMPLITUDES)
def test_rows_stay_within_what_is_derived(amplitude):
    for design in designs(40, amplitude):
        own = must_agree(design, 40)
        for t in range(design.M):
            row = [abs(int(entry)) * design.unit for entry in design.row(t, 40)]
            assert max(row) <= own.amplitude
            assert sum(row) <= own.l1(40)


@pytest.mark.parametrize(("field", "value"), [("labels", 13), ("A", 2), ("M", 1), ("spares", 5)])
def test_a_design_of_classes_that_says_too_much_is_not_sound(field, value):
    data = record(best_design(12, Fraction(9), 3))
    assert design_of(data).sound
    assert not design_of({**data, field: data[field] + value if field in ("labels", "spares") else value}).sound


def test_a_core_with_equal_sums_is_no_design():
    data = record(best_design(60, Fraction(40), 3))
    data["held"][0]["core"] = [[1, 2], [3, 4]]  # 1 + 3 = 4
    with pytest.raises(ValueError, match="sums that are alike"):
        design_of(data)


def test_the_butterfly_that_averages():
    assert must_agree(Butterfly(6, BitSet(4)), 20).capacity == 4 * 6 + 7

"""Terms of the checker that whole reports hide, each asked by itself."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace

import pytest

from threatplan.verify import codes, consistent, squares
from threatplan.verify.intervals import real


def test_a_label_has_all_other_classes_to_be_taken_for(monkeypatch):
    monkeypatch.setattr(consistent, "seen", lambda channel, p: real(1))
    monkeypatch.setattr(consistent, "strays", lambda channel, p, errors, margin: real(errors))
    p = SimpleNamespace(labels=7, classes=4, order=8)
    found = codes._nearer(SimpleNamespace(random=False), p, 2)
    assert found <= 7 * 3 * 2 * 8 <= found


def test_what_comes_before_rounding_moves_sums(monkeypatch):
    for name in ("_written", "_noise", "unit_of", "off_centre"):
        monkeypatch.setattr(consistent, name, lambda *known: real(0))
    monkeypatch.setattr(consistent, "_before", lambda channel, p: real(3))
    channel = SimpleNamespace(subtracted=lambda: real(0))
    moved = consistent._moved(channel, SimpleNamespace(rows=10, gap=real(2), small=real(1)))
    assert 14 < moved < 16


@pytest.mark.parametrize(("t", "tells"), [(1, True), (2, False), (12, False), (Fraction(25, 2), True)])
def test_constants_that_tell_the_number_of_ones_by_one_score(t, tells):
    """1, and those of which 2t - 1 is twice the number of rows at least."""
    first = squares._off_one(SimpleNamespace(shown=None, scored=12), 3, Fraction(t))[0]
    assert first.proof(SimpleNamespace(bits=64))[2] is tells

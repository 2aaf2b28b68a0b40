"""Records by fields do what dataclasses would do for each class by itself: compare, hash and show."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from dsl.alike import ByFields


@dataclass(frozen=True, eq=False, repr=False)
class Shared(ByFields):
    a: Any
    b: Any = 2
    beside: Any = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Own:
    a: Any
    b: Any = 2
    beside: Any = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Heir(Shared):
    c: int = 3


@dataclass(frozen=True, eq=False, repr=False)
class Empty(ByFields):
    pass


@dataclass(frozen=True, eq=False, repr=False)
class Other(ByFields):
    pass


VALUES = [(1,), (1, 2, 5), (1, 3), ("x",), ((1, 2), None), (True, 2), (1.0,)]


@pytest.mark.parametrize("one", VALUES)
@pytest.mark.parametrize("two", VALUES)
def test_records_are_equal_when_a_dataclass_says_so(one, two):
    assert (Shared(*one) == Shared(*two)) is (Own(*one) == Own(*two))
    assert len({Shared(*one), Shared(*two)}) == len({Own(*one), Own(*two)})


@pytest.mark.parametrize("one", VALUES)
def test_records_show_what_a_dataclass_would(one):
    assert repr(Shared(*one)) == repr(Own(*one)).replace("Own", "Shared")


def test_a_record_equals_none_of_another_class():
    assert Heir(1) != Shared(1)
    assert Shared(1) != Own(1)
    assert Heir(1) != Heir(1, c=4)
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    assert Empty() != Other()


def test_a_record_within_itself_is_shown_once():
    held: list[Any] = []
    one = Shared(held)
    held.append(one)
    assert repr(one) == "Shared(a=[...], b=2)"

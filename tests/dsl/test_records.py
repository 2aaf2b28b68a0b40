"""Records are frozen dataclasses in all but the cost of defining them."""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import subprocess
import sys
from dataclasses import FEW, dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

import pytest


@dataclass(frozen=True)
class Point:
    origin: ClassVar[str] = "nowhere"
    x: int
    y: int = 2
    tags: list[str] = field(default_factory=list, compare=False)
    note: str = field(default="", repr=False, compare=False)


@dataclass(frozen=True)
class Placed(Point):
    place: str = "here"

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("negative")


@dataclasses.dataclass(frozen=True)
class Standard:
    x: int
    y: int = 2
    tags: list[str] = dataclasses.field(default_factory=list, compare=False)
    note: str = dataclasses.field(default="", repr=False, compare=False)


def test_it_looks_like_the_standard_one():
    assert repr(Point(1)) == repr(Standard(1)).replace("Standard", "Point")
    assert [each.name for each in dataclasses.fields(Point)] == [each.name for each in dataclasses.fields(Standard)]
    assert Point.__match_args__ == Standard.__match_args__
    assert dataclasses.asdict(Point(1)) == dataclasses.asdict(Standard(1))
    assert [each.name for each in fields(Point(1))] == ["x", "y", "tags", "note"]
    assert is_dataclass(Point)
    assert is_dataclass(Point(1))
    assert not is_dataclass(1)
    assert dataclasses.is_dataclass(Point)


def test_equality_and_hash_follow_the_compared_fields():
    assert Point(1, 2, ["a"]) == Point(1, 2, ["b"], note="c")
    assert hash(Point(1, 2, ["a"])) == hash(Point(1, 2, ["b"]))
    assert Point(1) != Point(2)
    assert Point(1) != Standard(1)
    assert Placed(1) != Point(1)


def test_it_is_frozen():
    point = Point(1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        point.x = 3
    with pytest.raises(dataclasses.FrozenInstanceError):
        del point.x


def test_defaults_inheritance_and_checks():
    assert Point(1).tags is not Point(1).tags
    assert Placed(1, place="there") == Placed(1, 2, place="there")
    with pytest.raises(ValueError, match="negative"):
        Placed(-1)
    with pytest.raises(TypeError):
        Point()
    with pytest.raises(TypeError):
        Point(1, z=3)


def test_replace_copy_and_pickle():
    assert dataclasses.replace(Point(1), y=5) == replace(Point(1), y=5) == Point(1, 5)
    assert replace(Placed(1), place="there") == Placed(1, place="there")
    with pytest.raises(ValueError, match="negative"):
        replace(Placed(1), x=-1)
    assert copy.deepcopy(Point(1, tags=["a"])).tags == ["a"]
    assert copy.copy(Point(1)) == Point(1)
    assert pickle.loads(pickle.dumps(Point(1))) == Point(1)


def test_what_was_computed_is_not_pickled():
    @dataclass(frozen=True)
    class Keeper:
        x: int

        @cached_property
        def double(self) -> int:
            return 2 * self.x

    keeper = Keeper(4)
    assert keeper.double == 8
    assert vars(copy.copy(keeper)) == {"x": 4}


def test_only_frozen_ones():
    with pytest.raises(TypeError):

        @dataclass(frozen=False)
        class Loose:
            x: int

    with pytest.raises(TypeError, match=r"Mixed\.x by the `field` of records"):

        @dataclass(frozen=True)
        class Mixed:
            x: int = dataclasses.field(default=1)


def test_the_defaults_are_seen_on_the_class():
    assert Point.y == 2
    assert Point.note == ""
    assert Point.origin == "nowhere"
    assert not hasattr(Point, "tags")


def test_the_initialiser_is_compiled_once_objects_are_many():
    @dataclass(frozen=True)
    class Fresh:
        x: int
        y: int = 2

    @dataclass(frozen=True)
    class Heir(Fresh):
        z: int = 3

    few = Fresh.__init__
    assert Heir(1) == Heir(1, 2, 3)
    assert {Fresh(5) for _ in range(FEW)} == {Fresh(x=5, y=2)}
    many = Fresh.__init__
    assert many is not few
    assert {Fresh(5), Fresh(y=2, x=5)} == {Fresh(5, 2)}
    assert Fresh.__init__ is many


@pytest.mark.parametrize("made", [0, FEW])
def test_arguments_that_do_not_fit(made):
    @dataclass(frozen=True)
    class Fresh:
        x: int
        y: int = 2

    for _ in range(made):
        Fresh(1)
    with pytest.raises(TypeError, match=r"Fresh.__init__\(\) missing 1 required positional argument: 'x'"):
        Fresh(y=1)
    with pytest.raises(TypeError, match="multiple values for argument 'x'"):
        Fresh(1, x=1)
    with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments but 4 were given"):
        Fresh(1, 2, 3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        Fresh(1, z=3)


def test_an_object_can_be_restored_before_its_class_has_made_any():
    pickled = pickle.dumps(Point(1, 7))
    program = f"import pickle; print(pickle.loads({pickled!r}))"
    path = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run([sys.executable, "-c", program], env=path, capture_output=True, text=True, check=True)
    assert ran.stdout == "Point(x=1, y=7, tags=[])\n"

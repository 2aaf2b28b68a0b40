"""Records are frozen dataclasses in all but the cost of defining them."""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import pytest

from dsl.records import dataclass, field, fields, is_dataclass, replace


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


def test_a_class_that_has_made_nothing_yet_compiles_its_initialiser_once():
    @dataclass(frozen=True)
    class Fresh:
        x: int
        y: int = 2

    @dataclass(frozen=True)
    class Heir(Fresh):
        z: int = 3

    before = Fresh.__init__
    assert Heir(1).z == 3
    assert Fresh.__init__ is before
    with pytest.raises(TypeError, match=r"Fresh.__init__\(\) missing 1 required positional argument: 'x'"):
        Fresh()
    compiled = Fresh.__init__
    assert compiled is not before
    assert (Fresh(5), Fresh(5).y) == (Fresh(x=5, y=2), 2)
    assert Fresh.__init__ is compiled


def test_an_object_can_be_restored_before_its_class_has_made_any():
    pickled = pickle.dumps(Point(1, 7))
    program = f"import pickle; print(pickle.loads({pickled!r}))"
    path = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    ran = subprocess.run([sys.executable, "-c", program], env=path, capture_output=True, text=True, check=True)
    assert ran.stdout == "Point(x=1, y=7, tags=[])\n"

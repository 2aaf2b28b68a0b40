"""Records are frozen dataclasses in all but the cost of defining them."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from dsl.records import dataclass


@dataclass(frozen=True)
class Point:
    x: int
    y: int = 2
    tags: list[str] = dataclasses.field(default_factory=list, compare=False)
    note: str = dataclasses.field(default="", repr=False, compare=False)


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
    assert dataclasses.replace(Point(1), y=5) == Point(1, 5)
    assert copy.copy(Point(1)) == Point(1)
    assert pickle.loads(pickle.dumps(Point(1))) == Point(1)


def test_only_frozen_ones():
    with pytest.raises(TypeError):

        @dataclass(frozen=False)
        class Loose:
            x: int

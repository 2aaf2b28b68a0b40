"""What a family says of the boards that it speaks of: once, and held against a list that stands here."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import planner.attacks
from planner.attacks.parameters import KINDS
from planner.attacks.scope import Scope
from planner.catalogue import CATALOGUE, kinds
from planner.channel.conditions import COUNTS, RANKS, SQUARES, WEIGHS
from planner.channel.releases import RELEASES

FAMILIES = sorted(file.parent.name for file in Path(planner.attacks.__path__[0]).glob("*/theorem.py"))
OF_A_PART = Scope(needs=WEIGHS, releases=("plain",), of_a_part=True, reads=True)
OF_COUNTS = Scope(needs=COUNTS, releases=("plain",), of_a_part=False, reads=True)
OF_A_LADDER = Scope(needs=WEIGHS, releases=("ladder",), of_a_part=False, reads=True)
OTHERS = {
    **dict.fromkeys(("chunks", "counting", "one_row", "class_counting", "pivot"), OF_COUNTS),
    **dict.fromkeys(("groups", "patterns", "room"), OF_A_LADDER),
    **{name: OF_A_PART for name in FAMILIES if name.startswith("split_")},
    "descent": Scope(needs=WEIGHS, releases=("best", "ladder"), of_a_part=False, reads=True),
    "guess": Scope(needs=None, releases=tuple(one.id for one in RELEASES), of_a_part=False, reads=False),
    "ranks": Scope(needs=RANKS, releases=("plain",), of_a_part=False, reads=True),
    "squares": Scope(needs=SQUARES, releases=("plain",), of_a_part=False, reads=True),
}
ALL_ROWS_EACH_SHOWN = Scope(needs=WEIGHS, releases=("plain",), of_a_part=False, reads=True)


def family_of(kind: type) -> str:
    return kind.__module__.split(".")[2]


def test_families_speak_of_the_boards_that_they_were_proved_for():
    said = {name: import_module(f"planner.attacks.{name}").SCOPE for name in FAMILIES}
    assert said == {name: OTHERS.get(name, ALL_ROWS_EACH_SHOWN) for name in FAMILIES}


def test_theorems_refuse_and_records_are_certified_by_one_object():
    kinds()
    classes = [*map(type, CATALOGUE), *KINDS.values()]
    assert {family_of(one) for one in classes} == set(FAMILIES)
    for one in classes:
        assert one.scope is import_module(f"planner.attacks.{family_of(one)}").SCOPE, one

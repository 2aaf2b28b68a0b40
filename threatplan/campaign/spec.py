"""Which scenarios a campaign holds: those of files, sweep point by sweep point, or random ones of a seed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from threatplan.campaign.generator import random_scenario
from threatplan.campaign.terms import Task, Terms
from threatplan.faults import InputError

if TYPE_CHECKING:
    from dsl.scenario import Scenario

SCHEMA = 1
CODE = ("dsl", "planner", "backends", "threatplan/campaign")  # what a record depends on


@dataclass(frozen=True)
class Spec:
    """What a campaign consists of: its scenarios, how many they are, and what tells it from others."""

    size: int
    identity: dict[str, Any]
    sources: Callable[[Collection[int]], Iterator[Task]]  # those whose numbers are not in the collection

    def header(self, terms: Terms) -> dict[str, Any]:
        """The journal's first line: two campaigns with equal headers have equal records."""
        asked = {"spec": self.identity, "terms": terms.to_json(), "code": fingerprint()}
        return {"journal": "threatplan campaign", "schema": SCHEMA, **asked}


def of_seed(count: int, seed: int, field: str | None = None) -> Spec:
    """`count` random scenarios, each of which sets the field if one is named."""

    def tasks(done: Collection[int]) -> Iterator[Task]:
        return (Task(index, random_scenario(seed, index, field)) for index in range(count) if index not in done)

    return Spec(count, {"random": count, "seed": seed, **({"field": field} if field else {})}, tasks)


def of_scenarios(scenarios: Sequence[Scenario]) -> Spec:
    """Every point of the scenarios' sweeps, made as it is needed."""
    from dsl import source

    def tasks(done: Collection[int]) -> Iterator[Task]:
        points = enumerate(_points(scenarios))
        return (Task(index, source(point)) for index, point in points if index not in done)

    texts = [source(one) for one in scenarios]
    size = sum(one.sweep_size() for one in scenarios)
    return Spec(size, {"scenarios": [_digest(text) for text in texts], "points": size}, tasks)


def _points(scenarios: Sequence[Scenario]) -> Iterator[Scenario]:
    from dsl import ThreatError

    for scenario in scenarios:
        try:
            yield from scenario.points()
        except ThreatError as error:
            raise InputError([error]) from error


def _digest(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()[:16]


@cache
def fingerprint() -> str:
    """A digest of the code that makes records: a journal is finished by the code that began it."""
    root = Path(__file__).parents[2]
    everything = (path for folder in CODE for path in (root / folder).rglob("*"))
    files = sorted(path for path in everything if path.suffix in (".py", ".lark"))
    return _digest("\0".join(f"{path.relative_to(root)}\0{path.read_text(encoding='utf-8')}" for path in files))

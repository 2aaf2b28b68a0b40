"""What changed between two reports of the same scenario: by part, with both values, and which changes are explained."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from math import isclose
from pathlib import Path
from typing import Any

Data = dict[str, Any]
FIGURES = ("queries", "labels_per_query", "exposure")
COSTS = ("precision_bits", "prediction_bits", "operations", "memory")
ABSENT = "(absent)"
CLOSE = 1e-12  # a float is a figure to look at; promises are integers, fractions and decimal bounds


@dataclass(frozen=True)
class Difference:
    """One part of one report that is not what it was."""

    origin: str  # the file or the number of the scenario, and which of its scenarios
    text: str  # the scenario as it is written
    part: str
    old: Any
    new: Any

    @property
    def kind(self) -> str:
        """What differences are grouped by: the part, and for words like verdicts the change itself."""
        words = self.part == "verdict" or self.part.endswith(": status")
        return f"{self.part}: {self.old} -> {self.new}" if words else self.part


def parts(report: Data) -> dict[str, Any]:
    """A report taken apart: what it promises first, then what it says about that."""
    if "failure" in report:
        return {"verdict": report["failure"]}
    found: dict[str, Any] = {
        "verdict": report["verdict"],
        "best": report["best"] and {name: report["best"][name] for name in ("attack", *FIGURES)},
        "exposure": report["exposure"],
        "lower bound": report["lower_bound"],
        "expectations": report["expectations"],
        "channel": {name: value for name, value in report["channel"].items() if name not in ("sources", "E_bounds")},
        "channel: bounds of E": report["channel"]["E_bounds"],
        "wording": [report["why"], report["title"], report["channel"]["sources"]],
    }
    for one in report["candidates"]:
        found |= {f"attack {one['attack']}: {name}": value for name, value in _candidate(one).items()}
    for one in report["limits"]:
        found |= {f"limit {one['id']}: {name}": value for name, value in _limit(one).items()}
    chain = report["best"]["chain"] if report["best"] else None
    return found | {"wording: chain": chain}


def _candidate(one: Data) -> Data:
    certified = one["certified"]
    told = {
        "status": one["status"],
        "paper's claim": one["paper"],
        "reasons": one["reasons"],
        "theorem": one["theorem"],
    }
    if certified is None:
        return told
    return told | {
        "figures": {name: certified[name] for name in FIGURES},
        "costs": {name: certified[name] for name in COSTS},
        "inequalities": certified["certificate"],
        "parameters": certified["parameters"],
        "guarantee": certified["guarantee"],
    }


def _limit(one: Data) -> Data:
    return {
        "bound": {"queries": one["queries"], "excludes_all": one["excludes_all"]},
        "inequalities": one["inequalities"],
        "wording": [one["title"], one["why"], one["cite"]],
    }


def differences(origin: str, text: str, old: Data, new: Data) -> Iterator[Difference]:
    """The parts that differ. Names that were added since are no difference; names that are gone are."""
    before, after = parts(old), parts(new)
    for part in [*before, *(part for part in after if part not in before)]:
        one, other = before.get(part, ABSENT), after.get(part, ABSENT)
        if not _same(one, other):
            yield Difference(origin, text, part, one, other)


def _same(old: Any, new: Any) -> bool:
    if isinstance(old, dict) and isinstance(new, dict):
        return all(name in new and _same(value, new[name]) for name, value in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_same, old, new))
    if isinstance(old, float) and isinstance(new, float):
        return isclose(old, new, rel_tol=CLOSE)
    return bool(old == new)


def shortest(old: Any, new: Any) -> str:
    """Both values as `old -> new`, without what they share."""
    if isinstance(old, dict) and isinstance(new, dict):
        names = [name for name in {**old, **new} if not _same(old.get(name), new.get(name))]
        return ", ".join(f"{name}: {shortest(old.get(name, ABSENT), new.get(name, ABSENT))}" for name in names)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        changed = [(place, *pair) for place, pair in enumerate(zip(old, new, strict=True)) if not _same(*pair)]
        return "; ".join(f"[{place}] {shortest(one, other)}" for place, one, other in changed)
    return f"{old} -> {new}"


# -- explained changes --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Explanation:
    """A change that is meant: which parts of which scenarios, and why."""

    parts: tuple[str, ...]  # patterns; one of them fits the part
    why: str
    scenario: tuple[str, ...] = ("",)  # texts; all of them occur in the scenario
    old: str = "*"  # patterns for the values, as text
    new: str = "*"

    def explains(self, one: Difference) -> bool:
        """Whether the difference is of this kind."""
        return (
            any(fnmatchcase(one.part, pattern) for pattern in self.parts)
            and all(text in one.text or text in one.origin for text in self.scenario)
            and fnmatchcase(str(one.old), self.old)
            and fnmatchcase(str(one.new), self.new)
        )


def explanations(path: Path) -> tuple[Explanation, ...]:
    """The explained changes of a file."""
    changes = tomllib.loads(path.read_text(encoding="utf-8")).get("change", [])
    return tuple(Explanation(**{name: _frozen(value) for name, value in one.items()}) for one in changes)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def explanation_of(one: Difference, known: Sequence[Explanation]) -> Explanation | None:
    """The first explanation that fits."""
    return next((each for each in known if each.explains(one)), None)

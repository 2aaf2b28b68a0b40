"""What a change of configuration does: two files, scenario by scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from threatplan.changes import Change, changes
from threatplan.patience import GivenUp

if TYPE_CHECKING:
    from dsl.scenario import Scenario
    from planner.report import Report

    Answer = Report | GivenUp | None  # None: the file has no such scenario

RANK = {"impossible": 0, "unknown": 1, "feasible": 2}


@dataclass(frozen=True, slots=True)
class Difference:
    """A scenario before and after."""

    name: str
    old: Answer
    new: Answer
    changes: tuple[Change, ...]

    @property
    def direction(self) -> str:
        """In a word: worse, better, mixed, same; added, removed; or gave up."""
        if self.old is None or self.new is None:
            return "added" if self.old is None else "removed"
        if isinstance(self.old, GivenUp) or isinstance(self.new, GivenUp):
            return "gave up"
        signs = set(_signs(self.old, self.new))
        if signs >= {-1, 1}:
            return "mixed"
        return "worse" if 1 in signs else "better" if -1 in signs else "same"

    @property
    def worse(self) -> bool:
        """Whether something is worse than before."""
        return self.direction in ("worse", "mixed")

    def to_json(self) -> dict[str, Any]:
        """The difference as plain data."""
        return {
            "name": self.name,
            "direction": self.direction,
            "changes": [one._asdict() for one in self.changes],
            "old": _figures(self.old),
            "new": _figures(self.new),
        }


def differences(
    old: Sequence[Scenario], new: Sequence[Scenario], plan: Callable[[Scenario], Report | GivenUp]
) -> Iterator[Difference]:
    """Scenarios of one name side by side, in the new file's order; two files of one scenario each are a pair."""
    if len(old) == len(new) == 1:
        yield _compared(old[0], new[0], plan)
        return
    before = {one.name: one for one in old}
    for one in new:
        yield _compared(before.pop(one.name, None), one, plan)
    for one in before.values():
        yield _compared(one, None, plan)


def _compared(old: Scenario | None, new: Scenario | None, plan: Callable[[Scenario], Report | GivenUp]) -> Difference:
    named = new or old
    assert named is not None
    changed = changes(old, new) if old and new else ()
    return Difference(named.name, plan(old) if old else None, plan(new) if new else None, changed)


def _signs(old: Report, new: Report) -> Iterator[int]:
    """1 for each figure that went up, -1 for each that went down; one that is not known on a side says nothing."""
    pairs = (
        (RANK[old.verdict], RANK[new.verdict]),
        (old.exposure.fraction, new.exposure.fraction),
        (old.ceiling.fraction, new.ceiling.fraction),
    )
    for before, after in pairs:
        if before is not None and after is not None and before != after:
            yield 1 if after > before else -1


def _figures(answer: Answer) -> dict[str, Any] | None:
    if answer is None:
        return None
    if isinstance(answer, GivenUp):
        return {"verdict": None, "gave_up": answer.facts}
    best = answer.best
    return {
        "verdict": str(answer.verdict),
        "attack": best.attack if best else None,
        "queries": best.certified.queries if best and best.certified else None,
        "exposure": answer.exposure.labels,
        "fraction": answer.exposure.fraction,
        "ceiling": answer.ceiling.fraction,
        "lower_bound": answer.lower_bound.queries,
    }

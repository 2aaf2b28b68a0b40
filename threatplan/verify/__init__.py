"""Reports checked by whoever holds nothing but the report: every inequality is derived anew from the JSON alone.

Nothing here knows the planner or its arithmetic. Numbers are mpmath's, rounded outward; the files of this folder state
the mathematics a second time: the channel, one family of attacks each, the limits, what a promise owes its channel, and
what follows for the verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from threatplan.verify import ceiling, verdict
from threatplan.verify.intervals import ARITHMETIC
from threatplan.verify.reading import Unreadable, items, record, reports, text_of
from threatplan.verify.recorded import channel_of

__all__ = ["Checked", "Unreadable", "check", "first_fault", "reports", "verify"]

GIVEN_UP = {"name", "title", "file", "verdict", "gave_up"}  # all that there is to say of a scenario without a verdict


@dataclass(frozen=True)
class Checked:
    """What was derived anew for one scenario, and all that turned out false."""

    name: str
    verdict: str
    derived: tuple[str, ...]
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing is false."""
        return not self.faults


def verify(text: str) -> list[Checked]:
    """Check every report of a document; raises Unreadable for what is no such document."""
    return [check(entry) for entry in reports(text)]


def check(entry: Mapping[str, Any]) -> Checked:
    """Check one report."""
    with _understood(entry):
        found = [(part, tuple(faults)) for part, faults in _parts(entry)]
        false = tuple(f"{part}: {fault}" for part, faults in found for fault in faults)
        stated = "gave up" if _given_up(entry) else text_of(entry, "verdict")
        return Checked(text_of(entry, "name"), stated, tuple(part for part, _ in found), false)


def first_fault(entry: Mapping[str, Any]) -> str | None:
    """The first thing that is false in a report, for whoever need not know all of them; None: nothing is."""
    with _understood(entry):
        return next((f"{part}: {fault}" for part, faults in _parts(entry) for fault in faults), None)


@contextmanager
def _understood(entry: Mapping[str, Any]) -> Iterator[None]:
    """Fields are read as they are needed: one that is missing or of another kind makes the report unreadable."""
    name = text_of(entry, "name")
    try:
        yield
    except Unreadable as error:
        raise Unreadable(f"{name[:80]}: {error}") from None
    except ARITHMETIC as error:
        raise Unreadable(f"{name[:80]}: its numbers lead nowhere: {type(error).__name__}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise Unreadable(f"{name[:80]}: a field is missing or of another kind: {error}") from None


def _given_up(entry: Mapping[str, Any]) -> bool:
    """Whether the scenario's time was over: such an entry claims nothing, and holds nothing that could be a claim."""
    return set(entry) == GIVEN_UP and entry["verdict"] is None


def _parts(entry: Mapping[str, Any]) -> Iterator[tuple[str, Iterator[str]]]:
    """Everything that a report claims, part by part, with what is false of it."""
    if _given_up(entry):
        return
    channel = channel_of(record(record(entry, "channel"), "exact"))
    yield "channel", verdict.channel_faults(entry, channel)
    for candidate in items(entry, "candidates"):
        if candidate["certified"] is not None or candidate["status"] != "refused":
            yield text_of(candidate, "attack"), verdict.candidate_faults(channel, candidate)
    for limit in items(entry, "limits"):
        yield text_of(limit, "id"), verdict.limit_faults(channel, limit)
    yield "verdict", verdict.conclusion_faults(entry, channel)
    yield "exposure", verdict.exposure_faults(entry, channel)
    yield "ceiling", ceiling.faults(entry, channel)
    yield "what a guess would change", verdict.guessed_faults(entry, channel)
    yield "leaks", verdict.leak_faults(entry, channel)

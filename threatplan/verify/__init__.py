"""Reports checked by whoever holds nothing but the report: every inequality is derived anew from the JSON alone.

Nothing here knows the planner or its arithmetic. Numbers are mpmath's, rounded outward; the files of this folder state
the mathematics a second time: the channel, one family of attacks each, the limits, what a promise owes its channel, and
what follows for the verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from threatplan.verify import verdict
from threatplan.verify.channel import channel_of
from threatplan.verify.reading import Unreadable, items, record, reports, text_of

__all__ = ["Checked", "Unreadable", "check", "reports", "verify"]


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
    name = text_of(entry, "name")
    try:
        parts = list(_parts(entry))
    except (Unreadable, KeyError, TypeError, AttributeError) as error:
        # Fields are read as they are needed: what is missing or of another kind is found there.
        reason = error if isinstance(error, Unreadable) else f"a field is missing or of another kind: {error}"
        raise Unreadable(f"{name[:80]}: {reason}") from None
    faults = tuple(f"{part}: {fault}" for part, found in parts for fault in found)
    return Checked(name, text_of(entry, "verdict"), tuple(part for part, _ in parts), faults)


def _parts(entry: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Everything that a report claims, part by part, with what is false of it."""
    channel = channel_of(record(record(entry, "channel"), "exact"))

    def part(name: str, found: Iterable[str]) -> tuple[str, tuple[str, ...]]:
        return name, tuple(found)

    yield part("channel", verdict.channel_faults(entry, channel))
    for candidate in items(entry, "candidates"):
        if candidate["certified"] is not None or candidate["status"] != "refused":
            yield part(text_of(candidate, "attack"), verdict.candidate_faults(channel, candidate))
    for limit in items(entry, "limits"):
        yield part(text_of(limit, "id"), verdict.limit_faults(channel, limit))
    yield part("verdict", verdict.conclusion_faults(entry, channel))
    yield part("exposure", verdict.exposure_faults(entry, channel))

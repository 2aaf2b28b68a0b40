"""A campaign from its first scenario to its last, or from where it was stopped."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from dsl.visible import visible
from threatplan.campaign.engines import Engine
from threatplan.campaign.examine import Record
from threatplan.campaign.journal import Journal
from threatplan.campaign.progress import Progress
from threatplan.campaign.records import must_be_record
from threatplan.campaign.spec import Spec
from threatplan.campaign.summary import Summary
from threatplan.campaign.terms import MIB, Terms
from threatplan.campaign.worker import Answer

SETTLED = 200  # scenarios after which a worker's caches are about full

MakeEngine = Callable[[Terms], AbstractContextManager[Engine]]


def run(spec: Spec, terms: Terms, path: str, engine: MakeEngine) -> Summary:
    """Do what the journal at `path` does not hold yet; what all of it comes to."""
    summary = Summary()

    def take(record: Record) -> None:
        must_be_record(record, spec.size)
        summary.add(record)

    with Journal(path, spec.header(terms), take) as journal:
        _greet(journal, spec)
        if len(journal.done) < spec.size:
            _work(spec, terms, journal, engine, summary)
    return summary


def _work(spec: Spec, terms: Terms, journal: Journal, engine: MakeEngine, summary: Summary) -> None:
    progress = Progress(sys.stderr, spec.size, len(journal.done))
    crew = Memory()
    try:
        with engine(terms) as examine:
            for answer in examine(spec.sources(frozenset(journal.done))):
                journal.append(answer.record)
                summary.add(answer.record)
                crew.note(answer)
                progress.step(summary.defects.total())
    finally:
        progress.close(crew.told())


def _greet(journal: Journal, spec: Spec) -> None:
    if journal.cut:
        print(
            f"plan: cut off {journal.cut:,} bytes that a crash left at the end of {visible(journal.path)}",
            file=sys.stderr,
        )
    if journal.done:
        print(f"plan: {len(journal.done):,} of {spec.size:,} scenarios are in {visible(journal.path)}", file=sys.stderr)


@dataclass
class Memory:
    """What workers hold once they are warm, and at the last; and how many were lost."""

    counts: dict[int, int] = field(default_factory=dict)
    warm: dict[int, int] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    losses: int = 0

    def note(self, answer: Answer) -> None:
        """Take in one answer."""
        self.losses += answer.losses
        if answer.worker:
            seen = self.counts[answer.worker] = self.counts.get(answer.worker, 0) + 1
            self.last[answer.worker] = answer.resident
            if seen <= SETTLED:
                self.warm[answer.worker] = answer.resident

    def told(self) -> str:
        """The figures as the end of a sentence."""
        lost = f"; {self.losses} workers lost and replaced" if self.losses else ""
        if not self.last:
            return lost
        worker = max(self.counts, key=lambda one: self.counts[one])
        warm, last = self.warm[worker] // MIB, self.last[worker] // MIB
        return f"; a worker held {warm} MiB when warm, {last} MiB after {self.counts[worker]:,}{lost}"

"""Runs tests against a mutant: a forked process in which one module is imported as the mutant has it.

A process ends with the first test that fails, and when a test takes far longer than it does without the mutant; it is
killed when it has spent more than all of them are worth. Whatever ended a mutant is then run without one.
"""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import signal
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from typing import Any

from benchmarks._mutations import Mutant
from benchmarks._processes import OUT_OF_TIME, Task, in_turns, run
from benchmarks._watching import Seen

SPEND, SPEND_LITTLE = 40.0, 5.0  # seconds of tests, the quick ones first, that a mutant has to survive; with a reason
LONG = 4.0  # seconds of a test that is too long to be asked
FIRST_FILES = 2  # of tests that are read at first; then twice as many, and so on
SLOWER, SPARE = 6, 3.0  # a test that takes so many times as long, and so many seconds more, hangs
MEMORY = 4 << 30  # bytes
OTHERWISE = ("the time limit", "an import")  # what ends a mutant that no test is known to
TIMES_UP = (OUT_OF_TIME, -signal.SIGXCPU, -signal.SIGKILL)


@dataclass(frozen=True)
class Trial:
    """What became of a mutant."""

    mutant: Mutant
    killed: bool
    by: str  # the test, or what else ended it
    tests: int
    seconds: float
    blamed: tuple[Seen, ...] = ()  # what has to pass without the mutant, or it was not the mutant that failed


@dataclass
class Bench:
    """The tests that were seen to pass, and which of them have killed before."""

    root: Path
    tests: tuple[Seen, ...]
    killers: dict[str, str] = field(default_factory=dict)  # by the name of a mutant, from earlier runs
    kills: Counter[str] = field(default_factory=Counter)

    def chosen(self, mutant: Mutant, spend: float = SPEND) -> list[Seen]:
        """Tests that enter the function: the one that killed this mutant before, those that have killed most, the quick ones.

        What killed before is only tried first: a mutant is dead because a test of today fails.
        """
        before = self._before(mutant)
        entered = {*self._entering(mutant), *before}  # one that was cut short enters more than was seen
        found: list[Seen] = []
        spent = 0.0
        for one in sorted(
            entered, key=lambda one: (one not in before, one.cut, -self.kills[one.id], one.seconds, one.id)
        ):
            spent += LONG if one.cut else one.seconds
            if found and spent > spend:
                break
            found.append(one)
        return found

    def _before(self, mutant: Mutant) -> set[Seen]:
        """The test by its name, with all its parameters where none are named."""
        name = self.killers.get(mutant.known_as)
        return {one for one in self.tests if name and (one.id == name or one.id.startswith(f"{name}["))}

    def _entering(self, mutant: Mutant) -> list[Seen]:
        """Of code that runs on import, or once only, every test of the module may notice."""
        place = mutant.path, mutant.function
        exact = [one for one in self.tests if place in one.functions]
        if exact and not _is_cached(self.root / mutant.path, mutant.function):
            return exact
        return [one for one in self.tests if any(path == mutant.path for path, _ in one.functions)]


def _is_cached(path: Path, function: str) -> bool:
    """Whether a function remembers its answers from one test to the next."""
    return f"@cache\ndef {function}(" in path.read_text(encoding="utf-8")


# -- with a mutant ------------------------------------------------------------------------------------


class _Loader(SourceFileLoader):
    """Imports a module from other code than its file's."""

    def __init__(self, name: str, path: str, code: Any) -> None:
        super().__init__(name, path)
        self.code = code

    def get_code(self, fullname: str) -> Any:
        return self.code


class _Finder:
    """Finds one module in its mutated form, and no other."""

    def __init__(self, mutant: Mutant, root: Path) -> None:
        self.name, self.path = mutant.module, str(root / mutant.path)
        self.code = mutant.code(root)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.path, loader=_Loader(name, self.path, self.code))


class _Order:
    """Runs the chosen tests in their order, and says which one was begun last and whether it failed."""

    def __init__(self, tests: Sequence[Seen], answer: Path) -> None:
        self.places = {one.id: place for place, one in enumerate(tests)}
        self.tests = {one.id: one for one in tests}
        self.answer = answer

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted((one for one in items if one.nodeid in self.places), key=lambda one: self.places[one.nodeid])

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        self.answer.write_text(json.dumps([item.nodeid, False]))

    def pytest_runtest_call(self, item: Any) -> None:
        test = self.tests[item.nodeid]
        signal.signal(signal.SIGPROF, _leave if test.cut else _end)
        signal.setitimer(signal.ITIMER_PROF, LONG if test.cut else SLOWER * test.seconds + SPARE)

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.answer.write_text(json.dumps([report.nodeid, True]))
            os._exit(1)  # without tidying up, which takes longer than most tests


def _end(*_: Any) -> None:
    os._exit(OUT_OF_TIME)


def _leave(*_: Any) -> None:
    import pytest

    pytest.skip("nobody knows how long it takes without a mutant")


def try_all(bench: Bench, mutants: Sequence[Mutant], spend: Callable[[Mutant], float], jobs: int) -> Iterator[Trial]:
    """Every mutant against its tests."""
    chosen: list[list[Seen]] = []

    def tasks() -> Iterator[Task]:
        for mutant in mutants:
            tests = bench.chosen(mutant, spend(mutant))  # by what has killed until now
            chosen.append(tests)
            yield partial(_attempt, bench.root, mutant, tests)

    for number, code, told, seconds in in_turns(tasks(), jobs):
        begun, failed = told or ("", False)
        if failed:
            bench.kills[begun] += 1
            bench.killers[mutants[number].known_as] = begun
        by = (begun if failed else OTHERWISE[code not in TIMES_UP]) if code else ""
        tests = chosen[number]
        blamed = tuple(one for one in tests if one.id == begun) or tuple(_one_a_file(tests))
        yield Trial(mutants[number], code != 0, by, len(tests), seconds, blamed if code else ())


def _attempt(root: Path, mutant: Mutant, tests: Sequence[Seen], answer: Path) -> int:
    if not tests:
        return 0
    _limit(SLOWER * sum(LONG if one.cut else one.seconds for one in tests) + 60)
    sys.meta_path.insert(0, _Finder(mutant, root))
    codes = (run(_files(some), _Order(some, answer)) for some in in_parts(tests))
    return next((code for code in codes if code), 0)


def _limit(seconds: float) -> None:
    """End this process after so much processor time, even inside a library, and before it takes all memory."""
    whole = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 2))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def failing(tests: Iterable[Seen], jobs: int) -> Iterator[str]:
    """Which of the tests fail, or hang, though nothing is changed: of a file the first."""
    files: dict[str, list[Seen]] = defaultdict(list)
    for one in sorted(tests, key=lambda one: one.id):
        files[_file(one)].append(one)
    tasks = (partial(_control, own) for own in files.values())
    names = list(files)
    for number, code, told, _ in in_turns(tasks, jobs):
        if code:
            yield told[0] if told else names[number]


def _control(tests: Sequence[Seen], answer: Path) -> int:
    return run(_files(tests), _Order(tests, answer))


def in_parts(tests: Sequence[Seen]) -> Iterator[list[Seen]]:
    """The tests in their order, cut where many files would be read: most mutants are killed by the first."""
    most = FIRST_FILES
    part: list[Seen] = []
    for one in tests:
        if len(_files([*part, one])) > most:
            yield part
            most, part = 2 * most, []
        part.append(one)
    if part:
        yield part


def _files(tests: Sequence[Seen]) -> list[str]:
    return list(dict.fromkeys(map(_file, tests)))


def _file(test: Seen) -> str:
    return test.id.partition("::")[0]


def _one_a_file(tests: Sequence[Seen]) -> Iterator[Seen]:
    yield from {_file(one): one for one in reversed(tests)}.values()

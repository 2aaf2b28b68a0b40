"""What each test costs and which functions it enters: every test file is run once as it is, under a profiler.

What was seen is a hint about where to look, no more. It says which tests to ask about a mutant, and a mutant counts as dead
only if a test of today fails with it and passes without it. So what is held of a test file may be older than the code:
only where a mutant survives without a reason is it seen again.
"""

from __future__ import annotations

import ast
import json
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from cProfile import Profile
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks._processes import in_turns, run

SOURCES = ("dsl/", "planner/", "backends/", "threatplan/", "tests/")  # that tests of the planner may enter or use
CHANGED = ("planner/", "threatplan/")  # where mutants are
QUICK = 0.5  # seconds after which a test is cut short: one in ten, and together they would take half of the time


@dataclass(frozen=True)
class Seen:
    """A test as it runs without a mutant: seconds of processor time, without fixtures, and the functions that it enters."""

    id: str
    seconds: float
    functions: frozenset[tuple[str, str]]  # path and dotted name
    cut: bool = False  # whether it takes longer than that, and may enter more


Watched = dict[str, dict[str, Any]]  # by test file


class _Watch:
    """Notes what each test costs and enters."""

    def __init__(self, root: Path, answer: Path) -> None:
        self.root, self.answer = f"{root}/", answer
        self.places: dict[tuple[str, str], int] = {}  # functions, which most tests of a file have in common
        self.tests: list[list[Any]] = []
        self.begun = 0.0

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        self.profile, self.seconds = Profile(builtins=False), 0.0
        self.profile.enable()

    def pytest_runtest_call(self, item: Any) -> None:
        self.begun = time.process_time()
        signal.signal(signal.SIGPROF, _cut)
        signal.setitimer(signal.ITIMER_PROF, QUICK)  # not before: a fixture is for other tests, too

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)  # at once: what is cut after its test takes the whole file with it

    def pytest_runtest_teardown(self, item: Any, nextitem: Any) -> None:
        self.seconds = time.process_time() - self.begun

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self.profile.disable()
        codes = (one.code for one in self.profile.getstats() if not isinstance(one.code, str))  # a text is a builtin's
        entered = {(code.co_filename.removeprefix(self.root), _dotted(code.co_qualname)) for code in codes}
        ours = (one for one in entered if one[0].startswith(SOURCES))
        self.tests.append([nodeid, self.seconds, sorted(self.places.setdefault(one, len(self.places)) for one in ours)])

    def pytest_sessionfinish(self) -> None:
        files = (str(getattr(module, "__file__", None)).removeprefix(self.root) for module in sys.modules.values())
        imported = sorted({file for file in files if file.startswith(SOURCES)})
        self.answer.write_text(json.dumps([imported, list(self.places), self.tests]))


def _dotted(qualname: str) -> str:
    """The name of the function in which the code is written: without comprehensions and lambdas."""
    return ".".join(part for part in qualname.split(".") if not part.startswith("<"))


def _cut(*_: Any) -> None:
    import pytest

    pytest.skip("what it enters until now will do")


def watch(root: Path, files: Sequence[str], jobs: int, into: Watched) -> Iterator[str]:
    """Run the tests as they are and hold what they enter; of a file that fails, nothing.

    Yields the files that pass, as they do: a run that is stopped leaves what it has seen.
    """
    for number, code, told, _ in in_turns((partial(_seen, root, file) for file in files), jobs):
        file = files[number]
        into.pop(file, None)
        if not code and told:
            into[file] = held(root, file, told)
            yield file


def held(root: Path, file: str, told: Sequence[Any]) -> dict[str, Any]:
    """What is kept of a test file: its tests, what they enter, and what that depends on."""
    imported, functions, tests = told
    entered = sorted({path for path, _ in functions} - {file})
    used = sorted({*imported, *entered} - {file})
    digests = {"text": _text(root / file), "sources": _sources(root, used, entered)}
    return {**digests, "used": used, "entered": entered, "functions": functions, "tests": tests}


def _seen(root: Path, file: str, answer: Path) -> int:
    return run([file], _Watch(root, answer))


def tests_held(files: Sequence[str], seen: Watched) -> Iterator[Seen]:
    """The tests of files that were seen."""
    for one in (seen[file] for file in files):
        names = [(path, function) for path, function in one["functions"]]
        for test, seconds, places in one["tests"]:
            entered = frozenset(names[place] for place in places if names[place][0].startswith(CHANGED))
            yield Seen(test, seconds, entered, cut=seconds >= QUICK)


# -- how old it is ------------------------------------------------------------------------------------


def is_held(root: Path, file: str, seen: Watched) -> bool:
    """Whether the tests of a file were seen as they are written."""
    return file in seen and seen[file]["text"] == _text(root / file)


def is_fresh(root: Path, file: str, seen: Watched) -> bool:
    """Whether a test would enter today what it was seen to enter: neither it nor what it runs has changed."""
    one = seen.get(file, {})
    return is_held(root, file, seen) and one["sources"] == _sources(root, one["used"], one["entered"])


def _sources(root: Path, used: Sequence[str], entered: Sequence[str]) -> str:
    """Of a module that is imported only, all but what stands in its functions."""
    parts = (_text(root / path) if path in entered else _frame(root / path) for path in used)
    return _digest("".join(parts).encode())


def _text(path: Path) -> str:
    return _digest(path.read_bytes()) if path.exists() else ""


def _frame(path: Path) -> str:
    return _frame_of(path.read_bytes()) if path.exists() else ""


@cache
def _frame_of(source: bytes) -> str:
    tree = ast.parse(source)
    for one in ast.walk(tree):
        if isinstance(one, ast.FunctionDef):
            one.body = [ast.Pass()]
    return _digest(ast.dump(tree).encode())


def _digest(text: bytes) -> str:
    return sha256(text).hexdigest()

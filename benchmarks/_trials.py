"""Runs tests against a mutant: a forked process in which one module is imported as the mutant has it.

Everything but the project is loaded before the fork. A process ends with the first test that fails, and when a test
takes far longer than it does without the mutant; it is killed when it has spent more than all of them are worth.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from cProfile import Profile
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from importlib.machinery import ModuleSpec, SourceFileLoader
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks._mutations import Mutant

PRELOADED = ("pytest", "pytest_timeout", "hypothesis", "numpy", "flint", "gmpy2", "mpmath", "networkx", "lark")
WHERE_AT_HAND = ("sklearn.metrics", "dsl")  # nothing of the language is changed
SOURCES = ("dsl", "planner", "backends", "threatplan", "tests")  # that tests of the planner may enter or use
CHANGED = ("planner/", "threatplan/")  # where mutants are
LONG = 4.0  # seconds of a test that is too long to be asked about every mutant
SPEND = 40.0  # seconds of tests, the quick ones first, that a mutant has to survive
FIRST_FILES = 2  # of tests that are read at first; then twice as many, and so on
SLOWER, SPARE = 6, 3.0  # a test that takes so many times as long, and so many seconds more, hangs
MEMORY = 4 << 30  # bytes
OUT_OF_TIME = 77  # exit code
OTHERWISE = ("the time limit", "an import")  # what ends a mutant that no test is known to
TIMES_UP = (OUT_OF_TIME, -signal.SIGXCPU, -signal.SIGKILL)


@dataclass(frozen=True)
class Seen:
    """A test as it runs without a mutant: seconds of processor time, and the functions that it enters."""

    id: str
    seconds: float
    functions: frozenset[tuple[str, str]]  # path and dotted name


@dataclass(frozen=True)
class Trial:
    """What became of a mutant."""

    mutant: Mutant
    killed: bool
    by: str  # the test, or what else ended it
    tests: int
    seconds: float


@dataclass
class Bench:
    """The tests that were seen to pass, and which of them have killed before."""

    root: Path
    tests: tuple[Seen, ...]
    killers: dict[str, str] = field(default_factory=dict)  # by the name of a mutant, from earlier runs
    kills: Counter[str] = field(default_factory=Counter)

    def chosen(self, mutant: Mutant) -> list[Seen]:
        """Tests that enter the function: the one that killed this mutant before, those that have killed most, the quick ones.

        What killed before is only tried first: a mutant is dead because a test of today fails.
        """
        entered = self._entering(mutant)
        before = self.killers.get(mutant.known_as)
        found: list[Seen] = []
        spent = 0.0
        for one in sorted(entered, key=lambda one: (one.id != before, -self.kills[one.id], one.seconds)):
            spent += one.seconds
            if found and spent > SPEND:
                break
            found.append(one)
        return found

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


# -- processes ----------------------------------------------------------------------------------------


def preload() -> None:
    """What every process needs, once."""
    for name in PRELOADED:
        importlib.import_module(name)
    for name in WHERE_AT_HAND:
        with suppress(ImportError):
            importlib.import_module(name)


Task = Callable[[Path], int]


def in_turns(tasks: Iterator[Task], jobs: int) -> Iterator[tuple[int, int, Any, float]]:
    """Run each task in a process of its own, so many at a time: its number, exit code, what it wrote, its seconds."""
    running: dict[int, tuple[int, Path]] = {}
    numbered = enumerate(tasks)
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / "compiled"
        while True:
            for number, task in islice(numbered, jobs - len(running)):
                answer = Path(folder) / str(number)
                running[_fork(task, answer, compiled)] = number, answer
            if not running:
                return
            pid, status, used = os.wait4(-1, 0)
            number, answer = running.pop(pid)
            code = os.waitstatus_to_exitcode(status)
            told = json.loads(answer.read_text()) if answer.exists() else None
            yield number, code, told, used.ru_utime + used.ru_stime


def _fork(task: Task, answer: Path, compiled: Path) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = OUT_OF_TIME
    try:
        # What one process compiles the next one need not, whatever the environment says; mutants are never written.
        sys.dont_write_bytecode, sys.pycache_prefix = False, str(compiled)
        os.setsid()
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        code = task(answer)
    finally:
        os._exit(code)


def _limit(seconds: float) -> None:
    """End this process after so much processor time, even inside a library, and before it takes all memory."""
    whole = int(seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 2))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _run(files: Sequence[str], plugin: object) -> int:
    import pytest

    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # of what the tests of the planner need, only one plugin is left
    options = ["-x", "-q", "--no-header", "--tb=no", "--assert=plain", "-p", "no:cacheprovider", "-p", "pytest_timeout"]
    return int(pytest.main([*options, *files], plugins=[plugin]))


# -- without a mutant ---------------------------------------------------------------------------------


class _Watch:
    """Notes what each test costs and enters."""

    def __init__(self, root: Path, answer: Path) -> None:
        self.root, self.answer = f"{root}/", answer
        self.seen: list[list[Any]] = []
        self.profile = Profile(builtins=False)

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        self.profile, self.begun = Profile(builtins=False), time.process_time()
        signal.signal(signal.SIGPROF, _too_long)
        signal.setitimer(signal.ITIMER_PROF, LONG)
        self.profile.enable()

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self.profile.disable()
        signal.setitimer(signal.ITIMER_PROF, 0)
        entered = (
            one.code for one in self.profile.getstats() if not isinstance(one.code, str)
        )  # a text is a builtin's
        functions = {(code.co_filename.removeprefix(self.root), _dotted(code.co_qualname)) for code in entered}
        kept = sorted(one for one in functions if one[0].startswith(CHANGED))
        self.seen.append([nodeid, time.process_time() - self.begun, kept])
        self.answer.write_text(json.dumps(self.seen))


def _dotted(qualname: str) -> str:
    """The name of the function in which the code is written: without comprehensions and lambdas."""
    return ".".join(part for part in qualname.split(".") if not part.startswith("<"))


def _too_long(*_: Any) -> None:
    import pytest

    pytest.skip("too long to be asked about every mutant")


Watched = dict[str, list[list[Any]]]  # by test file and its contents: tests, their seconds, what they enter


def watch(root: Path, files: Sequence[str], jobs: int, held: Watched) -> Iterator[str]:
    """Run the tests as they are, but for files that are held already, and hold what they enter; of one that fails, nothing.

    Yields the files that pass, as they do: a run that is stopped leaves what it has seen.
    """
    names = names_of(root, files)
    yield from (file for file in files if names[file] in held)
    fresh = [file for file in files if names[file] not in held]
    for number, code, told, _ in in_turns((partial(_seen, root, file) for file in fresh), jobs):
        if not code:
            held[names[fresh[number]]] = told or []
            yield fresh[number]


def names_of(root: Path, files: Sequence[str]) -> dict[str, str]:
    """What is watched of a test file is kept by this name: it changes with the file, and with all that it may enter."""
    sources = (path for folder in SOURCES for path in (root / folder).rglob("*.py"))
    entered = _digest(*(path for path in sources if not path.name.startswith("test_")))
    return {file: f"{file} {_digest(root / file)} {entered}" for file in files}


def _digest(*paths: Path) -> str:
    return sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()


def bench_of(root: Path, files: Sequence[str], held: Watched, killers: dict[str, str]) -> Bench:
    """The tests that are short enough to be asked."""
    rows = [row for name in sorted(names_of(root, files).values()) for row in held[name]]
    seen = (Seen(name, seconds, frozenset((path, one) for path, one in hit)) for name, seconds, hit in rows)
    return Bench(root, tuple(one for one in seen if one.seconds < LONG), killers)


def _seen(root: Path, file: str, answer: Path) -> int:
    return _run([file], _Watch(root, answer))


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
    """Runs the chosen tests in their order, and says which one failed."""

    def __init__(self, tests: Sequence[Seen], answer: Path) -> None:
        self.places = {one.id: place for place, one in enumerate(tests)}
        self.seconds = {one.id: one.seconds for one in tests}
        self.answer = answer

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted((one for one in items if one.nodeid in self.places), key=lambda one: self.places[one.nodeid])

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> None:
        signal.signal(signal.SIGPROF, lambda *_: os._exit(OUT_OF_TIME))
        signal.setitimer(signal.ITIMER_PROF, SLOWER * self.seconds[item.nodeid] + SPARE)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.answer.write_text(json.dumps(report.nodeid))


def try_all(bench: Bench, mutants: Sequence[Mutant], jobs: int) -> Iterator[Trial]:
    """Every mutant against its tests."""
    chosen: list[list[Seen]] = []

    def tasks() -> Iterator[Task]:
        for mutant in mutants:
            tests = bench.chosen(mutant)  # by what has killed until now
            chosen.append(tests)
            yield partial(_attempt, bench.root, mutant, tests)

    for number, code, told, seconds in in_turns(tasks(), jobs):
        bench.kills[told or ""] += 1
        if code and told:
            bench.killers[mutants[number].known_as] = told
        by = told or OTHERWISE[code not in TIMES_UP]
        yield Trial(mutants[number], code != 0, by if code else "", len(chosen[number]), seconds)


def _attempt(root: Path, mutant: Mutant, tests: Sequence[Seen], answer: Path) -> int:
    if not tests:
        return 0
    _limit(SLOWER * sum(one.seconds for one in tests) + 60)
    sys.meta_path.insert(0, _Finder(mutant, root))
    codes = (_run(_files(some), _Order(some, answer)) for some in in_parts(tests))
    return next((code for code in codes if code), 0)


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
    return list(dict.fromkeys(one.id.partition("::")[0] for one in tests))

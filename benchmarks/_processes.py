"""Processes that run tests: all but the project is loaded before the fork, so that each costs little."""

from __future__ import annotations

import gc
import importlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

PRELOADED = ("pytest", "pytest_timeout", "hypothesis", "numpy", "flint", "gmpy2", "mpmath", "networkx", "lark")
WHERE_AT_HAND = ("sklearn.metrics", "dsl")  # nothing of the language is changed
OUT_OF_TIME = 77  # exit code


def preload() -> None:
    """What every process needs, once; and none of them looks through it for garbage, which took half of their time."""
    for name in PRELOADED:
        importlib.import_module(name)
    for name in WHERE_AT_HAND:
        with suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()


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
            yield number, code, _told(answer), used.ru_utime + used.ru_stime


def _told(answer: Path) -> Any:
    """What a process wrote; one that is killed may have got no further than to open its file."""
    text = answer.read_text() if answer.exists() else ""
    return json.loads(text) if text else None


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


class _Unhurried:
    """Takes away limits by the clock: on a busy machine they end tests that pass. Processor time is limited elsewhere."""

    def pytest_itemcollected(self, item: Any) -> None:
        item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "timeout"]


def run(files: Sequence[str], plugin: object) -> int:
    """The tests of these files in this process, until one fails; the plugin chooses and listens."""
    import pytest

    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # of what the tests of the planner need, only one plugin is left
    options = ["-x", "-q", "--no-header", "--tb=no", "--assert=plain", "-p", "no:cacheprovider"]
    options += ["-p", "pytest_timeout", "--timeout=0"]
    return int(pytest.main([*options, *files], plugins=[plugin, _Unhurried()]))

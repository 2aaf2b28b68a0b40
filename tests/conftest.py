"""What all tests share."""

from __future__ import annotations

import gc
import os
import signal
import threading
import zlib
from collections.abc import Iterable
from typing import Any

import pytest

from tests.sampling import OneIn

COLLECT_AFTER = 50_000  # objects between two looks for garbage


def pytest_addoption(parser: pytest.Parser) -> None:
    """What takes long is sampled, unless all of it is asked for."""
    parser.addoption("--thorough", action="store_true", help="try everything of which only a sample is tried otherwise")


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether everything is tried: all scenarios of a grid, all changes of a number."""
    return bool(request.config.getoption("--thorough"))


@pytest.fixture(scope="session")
def one_in(thorough: bool) -> OneIn:
    """One in so many of a list, another one for another name; all of them if everything is tried."""

    def chosen(many: int, items: Iterable[Any], name: str) -> list[Any]:
        return list(items) if thorough else list(items)[zlib.crc32(name.encode()) % many :: many]

    return chosen


def pytest_collection_finish() -> None:
    """What was imported and collected stays to the end: nobody need look for garbage among it again and again."""
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Each process takes its half in one piece, then from what the other has left.

    Neighbours ask for the same reports, which each process keeps: dealt out in turns, most would be planned twice.
    """
    from xdist.scheduler import WorkStealingScheduling

    return WorkStealingScheduling(config, log) if config.getoption("dist") == "load" else None


def pytest_configure() -> None:
    """Processes that tests start keep what they compiled: half of what a short one costs.

    Those that tests interrupt must be interruptible, even if a shell started all this in the background.
    """
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)

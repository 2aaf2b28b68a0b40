"""Budgets of one scenario inside its worker: a clock that rings, and an address space that ends."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

AGAIN = 0.05  # seconds of processor time between two rings: longer than it takes to leave a scenario


class OutOfTime(BaseException):
    """The scenario's time is over."""


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise OutOfTime when the block takes more processor time, which a busy machine does not change.

    A long call into a C library is interrupted only when it returns.
    """
    import signal

    def ring(number: int, frame: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, ring)
    # It rings again: Python swallows what is raised in a destructor or a callback, and with it the first ring.
    signal.setitimer(signal.ITIMER_PROF, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory(budget: int) -> None:
    """Let this process grow by `budget` bytes from what it takes now; beyond that it meets a MemoryError."""
    import resource

    taken = _statm()[0]
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = taken + budget if hard == resource.RLIM_INFINITY else min(taken + budget, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def resident() -> int:
    """Bytes of memory that this process holds now."""
    return _statm()[1]


def _statm() -> tuple[int, int]:
    """Address space and resident memory, in bytes."""
    import resource

    try:
        with open("/proc/self/statm", encoding="ascii") as stream:
            size, held = (int(word) * resource.getpagesize() for word in stream.read().split()[:2])
            return size, held
    except OSError:  # no /proc: the peak stands in for both
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return peak, peak

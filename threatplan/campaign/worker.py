"""A worker: a process of its own that examines one scenario after another, told by lines of JSON.

The same worker serves every engine. It is a program and not a fork: it inherits nothing, and it may be killed at any
moment. `Worker` is the near end; `python -P -m threatplan.campaign.worker` is the far end.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from time import monotonic
from typing import IO, Any

from threatplan.campaign.examine import Record, examine, exceeded
from threatplan.campaign.terms import MIB, Task, Terms
from threatplan.children import child

GRACE = 5.0  # seconds on the clock, besides
PATIENCE = 10  # times the budget, after which a worker is killed: a busy machine may give it a tenth of a core
STARTING = 600.0  # seconds that a worker may take to come up: minutes, on a busy machine
STARTS = 3  # attempts at starting one
LOST = "its worker was lost twice"
FRUGAL = {  # one core a worker, and no second arena: glibc reserves 64 MiB for it when a request was refused
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
}
WARM = "scenario warm { N = 5; clip = 1e-15; decimals = 4 }"


@dataclass(frozen=True, slots=True)
class Answer:
    """A scenario's record, and what is worth knowing besides but is no part of it."""

    record: Record
    resident: int = 0  # bytes held by the worker
    worker: int = 0  # its process
    losses: int = 0  # workers that died on the way


class LostWorker(Exception):  # noqa: N818 - a fact about the worker
    """The worker died while it was at work."""


class NoWorker(RuntimeError):  # noqa: N818 - a fact about where workers should run
    """Workers do not even come up: nothing that a scenario is to blame for."""


class OtherVersion(RuntimeError):  # noqa: N818 - a fact about where the worker runs
    """The worker runs other code than the campaign was begun with."""


class Worker:
    """The near end: starts the process when it is needed, and again when it was lost."""

    def __init__(self, terms: Terms, code: str) -> None:
        self.terms = terms
        self.code = code
        self._process: subprocess.Popen[bytes] | None = None
        self._retired = False

    def examine(self, task: Task) -> Answer:
        """The answer; a scenario that kills its worker twice, or outlasts its budget, is recorded as such."""
        for losses in range(2):
            try:
                return self._ask(task, losses)
            except LostWorker:
                self.close()
            except TimeoutError:
                self.close()
                return Answer(exceeded(task, out_of_time(self.terms)), losses=losses)
        return Answer(exceeded(task, LOST), losses=2)

    def retire(self) -> None:
        """End the process for good; another thread may be waiting for its answer."""
        self._retired = True
        if self._process is not None:
            self._process.kill()

    def close(self) -> None:
        """End the process; the next scenario starts another."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _ask(self, task: Task, losses: int) -> Answer:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(asdict(task)).encode() + b"\n")
            process.stdin.flush()
        except BrokenPipeError as error:
            raise LostWorker from error
        allowed = PATIENCE * self.terms.seconds + GRACE
        data = json.loads(_line(process.stdout, allowed))
        return Answer(data["record"], data["resident"], process.pid, losses)

    def _running(self) -> subprocess.Popen[bytes]:
        for _ in range(STARTS):
            if self._process is None and not self._retired:
                self._come_up()
            if self._retired:
                raise LostWorker
            if self._process is not None:
                return self._process
        raise NoWorker

    def _come_up(self) -> None:
        self._process = _start(self.terms)
        assert self._process.stdout is not None
        try:
            ready = json.loads(_line(self._process.stdout, STARTING))
        except (LostWorker, TimeoutError):
            self.close()
            return
        if ready["code"] != self.code:
            raise OtherVersion


def _start(terms: Terms) -> subprocess.Popen[bytes]:
    command, environment = child("threatplan.campaign.worker", json.dumps(terms.to_json()), **FRUGAL)
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)


def _line(stream: IO[bytes], seconds: float) -> bytes:
    """The next line of a pipe, read past its buffer."""
    deadline, read = monotonic() + seconds, b""
    with selectors.DefaultSelector() as selector:
        selector.register(stream, selectors.EVENT_READ)
        while not read.endswith(b"\n"):
            if not selector.select(max(0.0, deadline - monotonic())):
                raise TimeoutError
            piece = os.read(stream.fileno(), 1 << 16)
            if not piece:
                raise LostWorker
            read += piece
    return read


def out_of_time(terms: Terms) -> str:
    """What is recorded of a scenario that took too long."""
    return f"more than {terms.seconds:g} seconds"


# -- the far end ---------------------------------------------------------------------------------------


def main(argv: list[str]) -> int:
    """Answer each line of standard input with one on standard output, until there are no more."""
    import signal

    from threatplan.campaign.guard import limit_memory, resident
    from threatplan.campaign.spec import fingerprint

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is the near end's to deal with
    terms = Terms(**json.loads(argv[0]))
    with contextlib.suppress(BrokenPipeError), _answers() as answers:  # the near end may be gone
        warm_up()
        limit_memory(terms.memory)
        _say(answers, {"code": fingerprint()})
        for line in sys.stdin.buffer:
            record = guarded(Task(**json.loads(line)), terms)
            _say(answers, {"record": record, "resident": resident()})
    return 0


def guarded(task: Task, terms: Terms) -> Record:
    """The record of a scenario within the terms' time and the memory that this process may take."""
    from threatplan.campaign.guard import OutOfTime, within

    try:
        with within(terms.seconds):
            return examine(task, terms)
    except OutOfTime:
        return exceeded(task, out_of_time(terms))
    except MemoryError:
        return exceeded(task, f"more than {terms.memory // MIB} MiB")


def warm_up() -> None:
    """Examine one small scenario, so that what every scenario imports is no part of any scenario's memory."""
    examine(Task(0, WARM), Terms())


@contextlib.contextmanager
def _answers() -> Iterator[IO[bytes]]:
    """Standard output for answers alone: whatever else prints goes to standard error."""
    with os.fdopen(os.dup(1), "wb") as stream:
        os.dup2(2, 1)
        yield stream


def _say(stream: IO[bytes], data: dict[str, Any]) -> None:
    stream.write(json.dumps(data).encode() + b"\n")
    stream.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

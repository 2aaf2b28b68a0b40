"""A simulation in a process of its own: exact arithmetic holds the interpreter lock, and a process can end.

The child writes frames to its standard output: four bytes of length, then a pickled Frame.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import AsyncIterator
from dataclasses import dataclass

from threatplan.children import child

HIDDEN, ASKED, RECOVERED, VERIFIED, UNSCORED, WRONG = range(6)
CELLS = 4096  # states sent at most; more labels than that share a cell
FRAME = 4


@dataclass(frozen=True, slots=True)
class Order:
    """What to simulate: the text, its scenario, the attack, and the seed that fixes the run."""

    text: str
    scenario: str
    attack: str
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come; `cells` holds the states of the labels, in order."""

    stage: str
    done: int
    total: int
    cells: bytes = b""


@dataclass(frozen=True, slots=True)
class Result:
    """How a run ended."""

    labels: int
    wrong: int
    queries: int
    seconds: dict[str, float]
    scorer: str
    seed: int
    shortfall: str = ""  # how it fell short of its promise
    broken: bool = False  # although nothing was left to chance
    cells: bytes = b""
    rows: int = 0  # of the board, whether or not their labels are told: a cell may stand for several


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no result."""

    reason: str


Frame = Progress | Result | Failure


class Simulation:
    """One run; iterate over it for its frames, stop it at any time."""

    def __init__(self, order: Order, target: str = "tui.child") -> None:
        self.order = order
        self._target = target
        self._process: asyncio.subprocess.Process | None = None
        self._stopped = False

    @property
    def pid(self) -> int | None:
        """The process's id, once it runs."""
        return self._process.pid if self._process else None

    async def frames(self) -> AsyncIterator[Frame]:
        """Start, and yield what the child reports; a child that dies without a word yields a Failure."""
        command, environment = child(self._target)
        self._process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
        )
        if self._stopped:  # cancelled while the process was being made
            self._process.kill()
        try:
            async for frame in self._conversation(self._process):
                yield frame
        finally:
            self.stop()
            await self._process.wait()

    async def _conversation(self, process: asyncio.subprocess.Process) -> AsyncIterator[Frame]:
        assert process.stdin is not None
        assert process.stdout is not None
        last: Frame | None = None
        try:
            process.stdin.write(pickle.dumps(self.order))
            process.stdin.write_eof()
            while not isinstance(last, Result | Failure):
                size = int.from_bytes(await process.stdout.readexactly(FRAME), "big")
                last = pickle.loads(await process.stdout.readexactly(size))
                yield last
        except (asyncio.IncompleteReadError, ConnectionError):
            code = await process.wait()
            if not self._stopped:
                yield Failure(f"the simulation's process ended by itself (exit code {code})")

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        self._stopped = True
        if self._process and self._process.returncode is None:
            self._process.kill()

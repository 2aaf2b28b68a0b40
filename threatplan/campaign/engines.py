"""Where a campaign's work is done. An engine takes tasks and gives answers in whatever order they come.

Which engine is used changes nothing but the time: the worker at the far end is the same program everywhere.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

from threatplan.campaign.crew import Crew
from threatplan.campaign.spec import fingerprint
from threatplan.campaign.terms import Task, Terms
from threatplan.campaign.worker import Answer, NoWorker, OtherVersion
from threatplan.faults import BROKEN, CommandError

AHEAD = 3  # tasks handed out for each place of work, so that none waits for the next
Engine = Callable[[Iterable[Task]], Iterator[Answer]]
Settle = Callable[[Task, "Future[Answer]"], Answer]


@contextlib.contextmanager
def processes(jobs: int, terms: Terms) -> Iterator[Engine]:
    """An engine of `jobs` worker processes on this machine, each led by a thread."""
    crew, pool = Crew(terms, fingerprint()), ThreadPoolExecutor(jobs)
    try:
        yield lambda tasks: flow(lambda task: pool.submit(crew.examine, task), tasks, AHEAD * jobs)
    finally:
        crew.dismiss()
        pool.shutdown(cancel_futures=True)


def flow(
    submit: Callable[[Task], Future[Answer]],
    tasks: Iterable[Task],
    window: int,
    settle: Settle = lambda task, future: future.result(),  # what a future comes to that may have failed
) -> Iterator[Answer]:
    """Answers as they come; no more than `window` tasks are made and handed out ahead of them."""
    waiting, pending = iter(tasks), dict[Future[Answer], Task]()
    while True:
        pending.update((submit(task), task) for task in islice(waiting, window - len(pending)))
        if not pending:
            return
        for future in wait(pending, return_when=FIRST_COMPLETED).done:
            yield _settled(settle, pending.pop(future), future)


def _settled(settle: Settle, task: Task, future: Future[Answer]) -> Answer:
    """The answer; that there are no workers to give it is nothing to record of the scenario."""
    try:
        return settle(task, future)
    except NoWorker:
        hint = f"try `{sys.executable} -P -m threatplan.campaign.worker '{{}}'`; what is done is kept"
        raise CommandError("worker processes do not come up", hint, BROKEN) from None
    except OtherVersion:
        hint = "install the same version everywhere, or begin another journal"
        raise CommandError("a worker runs another version of threatplan", hint, BROKEN) from None

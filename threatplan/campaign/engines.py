"""Where a campaign's work is done. An engine takes tasks and gives answers in whatever order they come.

Which engine is used changes nothing but the time: the worker at the far end is the same program everywhere.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import islice

from threatplan.campaign.crew import Crew
from threatplan.campaign.terms import Task, Terms
from threatplan.campaign.worker import Answer

AHEAD = 3  # tasks handed out for each place of work, so that none waits for the next
Engine = Callable[[Iterable[Task]], Iterator[Answer]]
Settle = Callable[[Task, "Future[Answer]"], Answer]


@contextlib.contextmanager
def processes(jobs: int, terms: Terms) -> Iterator[Engine]:
    """An engine of `jobs` worker processes on this machine, each led by a thread."""
    crew, pool = Crew(terms), ThreadPoolExecutor(jobs)
    try:
        yield lambda tasks: flow(lambda task: pool.submit(crew.examine, task), tasks, AHEAD * jobs)
    finally:
        crew.dismiss()
        pool.shutdown(cancel_futures=True)


def flow(
    submit: Callable[[Task], Future[Answer]],
    tasks: Iterable[Task],
    window: int,
    settle: Settle = lambda task, future: future.result(),
) -> Iterator[Answer]:
    """Answers as they come; no more than `window` tasks are made and handed out ahead of them."""
    waiting, pending = iter(tasks), dict[Future[Answer], Task]()
    while True:
        pending.update((submit(task), task) for task in islice(waiting, window - len(pending)))
        if not pending:
            return
        for future in wait(pending, return_when=FIRST_COMPLETED).done:
            yield settle(pending.pop(future), future)

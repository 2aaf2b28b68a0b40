"""The engine on a Dask cluster that runs already: `--scheduler ADDRESS`.

Dask hands out scenarios and repeats those of workers that it loses. Each of its threads leads a worker process of its
own, so that budgets hold there as they do here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from typing import Any

from threatplan.campaign.crew import Crew
from threatplan.campaign.engines import AHEAD, Engine, flow
from threatplan.campaign.examine import exceeded
from threatplan.campaign.spec import fingerprint
from threatplan.campaign.terms import Task, Terms
from threatplan.campaign.worker import LOST, Answer
from threatplan.faults import BROKEN, CommandError, missing

PATIENCE = 30  # seconds for the scheduler to answer, and for a first worker to join it
_CREWS: dict[tuple[Terms, str], Crew] = {}  # of this process, where it is one of Dask's workers


@contextlib.contextmanager
def cluster(address: str, terms: Terms) -> Iterator[Engine]:
    """An engine on the cluster whose scheduler is at `address`."""
    client, code = _client(address), fingerprint()
    try:
        places = sum(client.nthreads().values())
        executor = client.get_executor(pure=False)
        yield lambda tasks: flow(
            lambda task: executor.submit(examine_there, task, terms, code), tasks, AHEAD * places, _settle
        )
    finally:
        with contextlib.suppress(Exception):  # a cluster that is gone has nothing left to dismiss
            client.run(dismiss, terms, code)
        client.close(timeout=5)


def examine_there(task: Task, terms: Terms, code: str) -> Answer:
    """Examine a scenario on one of Dask's workers."""
    return _CREWS.setdefault((terms, code), Crew(terms, code)).examine(task)


def dismiss(terms: Terms, code: str) -> None:
    """End the worker processes that one of Dask's workers leads."""
    crew = _CREWS.pop((terms, code), None)
    if crew is not None:
        crew.dismiss()


def _settle(task: Task, future: Future[Answer]) -> Answer:
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker:
        return Answer(exceeded(task, LOST), losses=2)
    except (CancelledError, OSError, TimeoutError) as error:
        hint = "what is done is kept: the same command resumes"
        raise CommandError(f"the cluster is gone: {error or type(error).__name__}", hint, BROKEN) from error


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError:
        raise missing("--scheduler", "Dask", "cluster", "--jobs needs nothing more") from None
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
        client.wait_for_workers(1, timeout=PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        message = f"no cluster to work on at {address}: {error or type(error).__name__}"
        raise CommandError(message, "start `dask scheduler` and `dask worker ADDRESS`", BROKEN) from error
    return client

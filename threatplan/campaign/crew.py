"""The workers of one process, one for each thread that asks: what every engine has at its far end."""

from __future__ import annotations

import threading

from threatplan.campaign.terms import Task, Terms
from threatplan.campaign.worker import Answer, Worker


class Crew:
    """Workers on the same terms and of the same code, started as threads come to need them."""

    def __init__(self, terms: Terms, code: str) -> None:
        self.terms = terms
        self.code = code
        self._own = threading.local()
        self._lock = threading.Lock()
        self._workers: list[Worker] = []
        self._dismissed = False

    def examine(self, task: Task) -> Answer:
        """The answer of this thread's worker."""
        return self._worker().examine(task)

    def dismiss(self) -> None:
        """End all workers; whoever waits for an answer gets none."""
        with self._lock:
            self._dismissed = True
            for worker in self._workers:
                worker.retire()

    def _worker(self) -> Worker:
        worker: Worker | None = getattr(self._own, "worker", None)
        if worker is None:
            worker = self._own.worker = Worker(self.terms, self.code)
            with self._lock:
                self._workers.append(worker)
                if self._dismissed:
                    worker.retire()
        return worker

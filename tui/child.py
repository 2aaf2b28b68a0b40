"""The simulation's own process: reads an Order from standard input, writes frames to standard output."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from planner.attacks.attack import NOT_SCORED, UNKNOWN, Attack
from tui.simulation import (
    ASKED,
    CELLS,
    FRAME,
    HIDDEN,
    RECOVERED,
    UNSCORED,
    VERIFIED,
    WRONG,
    Failure,
    Frame,
    Order,
    Progress,
    Result,
)
from tui.thinking import first_point

if TYPE_CHECKING:
    from backends.promises import Shortfall
    from backends.run import Run
    from backends.setting import Setting
    from planner.attacks.attack import Labels, Query, ScoreFunction
    from planner.report import Report

Send = Callable[[Frame], None]


def main() -> int:
    """One order, then done."""
    send = _sender(_private_output())
    order: Order = pickle.load(sys.stdin.buffer)
    try:
        run(order, send)
    except (Exception, MemoryError) as error:
        reason = str(error) or type(error).__name__
        send(Failure(reason))
    return 0


def run(order: Order, send: Send) -> None:
    """Plan the order's scenario again and simulate the attack."""
    from dsl import loads
    from planner import plan

    scenario = next(one for one in loads(order.text) if one.name == order.scenario)
    simulate(plan(first_point(scenario)), order, send)


def simulate(report: Report, order: Order, send: Send) -> None:
    """Run the attack under the eyes of a Watch."""
    from backends.promises import shortfall
    from backends.resources import Limits, estimate, require
    from backends.setting import Setting
    from backends.simulate import choose_within, score_bits
    from backends.trials import run_attack

    scenario, candidate, plan = choose_within(report, order.attack)
    require(candidate.attack, estimate(scenario, plan, 1), Limits())
    setting = Setting(scenario, order.seed, precision_bits=score_bits(scenario, plan))
    watch = Watch(*_secret(setting), plan.queries, send)
    send(Progress("building the queries", 0, plan.queries))
    attack = Watched(candidate.build(), watch)
    done = run_attack(attack, setting, queries=plan.queries, progress=watch.tick)
    send(_result(done, watch.cells(), shortfall(done, plan.certificate.promise)))


def _secret(setting: Setting) -> tuple[Labels, Labels | None]:
    """The labels of the run to come, and which rows are scored, drawn in the order in which the run draws them."""
    generator = setting.generator(0)
    hidden = setting.hidden(generator)
    setting.guessed(hidden, generator)
    return hidden, setting.scored(generator)


def _result(run: Run, cells: bytes, failure: Shortfall | None) -> Result:
    seconds = {"encode": run.seconds.encode, "score": run.seconds.score, "decode": run.seconds.decode}
    return Result(
        run.total_labels,
        run.wrong_labels,
        run.queries,
        seconds,
        run.scorer,
        run.seed,
        "" if failure is None else failure.text,
        failure is not None and not failure.by_chance,
        cells,
        run.labels,
    )


class Watch:
    """What is known of each label while a run goes on; it only looks, it changes nothing."""

    def __init__(self, hidden: Labels, scored: Labels | None, queries: int, send: Send) -> None:
        import numpy as np

        self._hidden = hidden
        self._scored = np.ones(len(hidden), dtype=bool) if scored is None else scored
        self._queries = queries
        self._send = send
        self._state = np.full(len(hidden), HIDDEN, dtype=np.uint8)
        self._all_asked = False

    def asked(self, query: Query) -> None:
        """A query was made: the labels whose rows are not left alone take part in it.

        Rows are left alone by being uniform; where none is, by being what half of all rows are at least.
        """
        import numpy as np

        if self._all_asked:
            return
        rows = query if query.ndim == 1 else query[:, 0]
        uniform = 0.5 if query.ndim == 1 else 1 / query.shape[1]
        idle = uniform if (rows == uniform).any() else np.median(rows)
        self._state[rows != idle] = ASKED
        self._all_asked = bool((self._state == ASKED).all())

    def found(self, labels: Labels) -> None:
        """The attack spoke; then its answer is held against the truth."""
        import numpy as np

        spoken = labels != UNKNOWN
        self._state[spoken] = RECOVERED
        self._send(Progress("verifying", self._queries, self._queries, self.cells()))
        # A row that is not scored has no label to be right about; only an attack that tells the split can be wrong on it.
        called_scored = (labels >= 0) & bool((labels == NOT_SCORED).any())
        outside = np.where(called_scored, WRONG, UNSCORED)
        inside = np.where(labels == self._hidden, VERIFIED, WRONG)
        self._state[spoken] = np.where(self._scored, inside, outside)[spoken]

    def tick(self, trial: int, trials: int, done: int, total: int) -> None:
        """Queries were scored."""
        stage = "decoding" if done >= total else "asking queries"
        self._send(Progress(stage, done, total, self.cells()))

    def cells(self) -> bytes:
        """The states; where labels share a cell a wrong one shows, else the least advanced."""
        import numpy as np

        if len(self._state) <= CELLS:
            return self._state.tobytes()
        edges = np.arange(CELLS) * len(self._state) // CELLS
        most = np.maximum.reduceat(self._state, edges)
        return np.where(most == WRONG, most, np.minimum.reduceat(self._state, edges)).astype(np.uint8).tobytes()


class Watched(Attack):
    """An attack that lets a Watch see its queries and its answer."""

    def __init__(self, attack: Attack, watch: Watch) -> None:
        self._attack, self._watch = attack, watch
        self.id, self.adaptive = attack.id, attack.adaptive

    def queries(self) -> Iterator[Query]:
        """The attack's queries."""
        for query in self._attack.queries():
            self._watch.asked(query)
            yield query

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The attack's answer."""
        return self._seen(self._attack.decode(scores))

    def recover(self, score: ScoreFunction) -> Labels:
        """The attack's questions and answer."""

        def ask(query: Query) -> Any:
            self._watch.asked(query)
            return score(query)

        return self._seen(self._attack.recover(ask))

    def _seen(self, labels: Labels) -> Labels:
        self._watch.found(labels)
        return labels


def _private_output() -> BinaryIO:
    """Standard output for frames alone: what a library prints goes to standard error instead."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return stream


def _sender(stream: BinaryIO) -> Send:
    def send(frame: Frame) -> None:
        data = pickle.dumps(frame)
        stream.write(len(data).to_bytes(FRAME, "big") + data)
        stream.flush()

    return send


if __name__ == "__main__":
    raise SystemExit(main())

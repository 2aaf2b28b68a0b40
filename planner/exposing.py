"""How many labels a budget exposes: the most for which some attack is certified within it, as a plan of its own.

An attack that is stopped early leaves its certificate behind. So every number of labels that is tried is put to the
theorem and to the certifier like any other goal, and what is exposed is a certified attack that can be run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from planner.model import Candidate, Exposure, Status

MOST_TRIED = 24  # goals that are put to one theorem
GROWTH = 4  # of the steps away from a first guess

Try = Callable[[int], Candidate]
"""A theorem against the channel with so many labels to recover."""


def most_exposed(
    N: int, budget: int | None, certified: Iterable[Candidate], others: Iterable[tuple[int, Try]]
) -> Exposure:
    """The most labels that a certified attack recovers within the budget.

    `certified` are the candidates known already, `others` the theorems that may recover more, each with a first guess
    at how many labels: the best guess is tried first, so that the rest need only be asked whether they do better.
    Where nothing is certified for any label it is not known what is exposed: that is no claim of safety.
    """
    if budget == 0:
        return Exposure(0, 0.0, 0)
    best = min((one for one in certified if one.status is Status.FEASIBLE), key=_rank, default=None)
    for guess, attempt in sorted(others, key=lambda one: -one[0]):
        floor = labels_right(best)
        if floor == N:
            break
        best = _most(attempt, floor, guess, N) or best
    if best is None or best.certified is None:
        return Exposure(None, None, 0)
    labels = labels_right(best)
    return Exposure(labels, labels / N, best.certified.queries, best.attack, best)


def labels_right(candidate: Candidate | None) -> int:
    """How many labels the candidate's certificate promises to be right."""
    if candidate is None or candidate.certified is None:
        return 0
    promise = candidate.certified.certificate.promise
    return promise.labels - promise.wrong


def price(candidate: Candidate) -> tuple[int, int]:
    """Queries first, then the bits to write down and to read."""
    certified, channel = candidate.certified, candidate.channel
    assert certified is not None
    assert channel is not None
    return certified.queries, channel.rows * certified.prediction_bits + certified.precision_bits


def _rank(candidate: Candidate) -> tuple[int, ...]:
    return -labels_right(candidate), *price(candidate)


def _most(attempt: Try, floor: int, guess: int, most: int) -> Candidate | None:
    """The attack on the most labels above `floor` that is certified, by steps away from the guess and bisection."""
    best: Candidate | None = None
    low, high = floor, most + 1  # certified at low, or of no use; not certified at high
    at, step = min(max(guess, floor + 1), most), 1
    for _ in range(MOST_TRIED):
        if high - low <= 1:
            break
        found = _certain(attempt(at))
        low, high, best = (max(at, labels_right(found)), high, found) if found else (low, at, best)
        at = _next(low, high, floor, most, step)
        step *= GROWTH
    return best


def _next(low: int, high: int, floor: int, most: int, step: int) -> int:
    """Away from the guess until it is bracketed, then midway."""
    if high > most:
        return min(low + step, most)
    return max(high - step, floor + 1) if low == floor else (low + high) // 2


def _certain(candidate: Candidate) -> Candidate | None:
    """The candidate, if it is feasible and says which labels it recovers: none may be wrong."""
    plan = candidate.certified
    if candidate.status is not Status.FEASIBLE or plan is None or plan.certificate.promise.wrong:
        return None
    return candidate

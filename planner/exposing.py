"""How many labels a budget exposes: the most for which some attack is certified within it, as a plan of its own.

An attack that is stopped early leaves its certificate behind. So every number of labels that is tried is put to the
theorem and to the certifier like any other goal, and what is exposed is a certified attack that can be run.

Labels are *known* if all that are stated are right; *right* counts those that an attack leaves right without saying which,
or that a guess has right anyhow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from planner.model import Candidate, Exposure, Status

MOST_TRIED = 24  # goals that are put to one theorem
GROWTH = 4  # of the steps away from a first guess

Try = Callable[[int], Candidate | None]
"""A theorem against the channel with so many labels to recover; None: it is not feasible."""


def most_exposed(
    N: int,
    budget: int | None,
    certified: Iterable[Candidate],
    others: Iterable[tuple[int, Try]],
    doubtful: Iterable[tuple[int, Try]] = (),
    guessed: int | None = None,
) -> Exposure:
    """The most labels that certified attacks state within the budget, and the most that they leave right.

    `certified` are the candidates known already, `others` the theorems that may recover more, each with a first guess
    at how many labels: the best guess is tried first, so that the rest need only be asked whether they do better.
    `doubtful` are those that may state wrong labels, `guessed` is how many labels a guess has right without a query.
    Where nothing is certified for any label it is not known what is exposed: that is no claim of safety.
    """
    feasible = [one for one in certified if one.status is Status.FEASIBLE]
    asked = budget != 0
    known = _best((one for one in feasible if _certain(one)), others if asked else (), N)
    shown = _known(known, N, budget)
    best = min(feasible, key=_rank, default=None)
    if labels_right(best) <= max(labels_right(known), guessed or 0):
        best = known
    floor = max(labels_right(best), guessed or 0)
    averaged = _better(best, doubtful if asked else (), floor, N)
    found = [one for one in (shown.labels, guessed, labels_right(averaged) or None) if one is not None]
    right = max(found, default=None)
    return replace(
        shown,
        right=right,
        corrected=None if right is None or guessed is None else right - guessed,
        averaged=None if averaged is known else averaged,
    )


def _known(known: Candidate | None, N: int, budget: int | None) -> Exposure:
    """What is known for certain; 0 only where nothing may be asked."""
    if known is None or known.certified is None:
        return Exposure(0, 0.0, 0) if budget == 0 else Exposure(None, None, 0)
    labels = labels_right(known)
    return Exposure(labels, labels / N, known.certified.queries, known.attack, known)


def _best(certified: Iterable[Candidate], others: Iterable[tuple[int, Try]], N: int) -> Candidate | None:
    """The most labels that are known, by a candidate or by a theorem put to fewer labels."""
    best = min(certified, key=_rank, default=None)
    return _better(best, others, labels_right(best), N, certain=True)


def _better(
    best: Candidate | None, others: Iterable[tuple[int, Try]], floor: int, N: int, certain: bool = False
) -> Candidate | None:
    """The candidate that beats the floor by most, or the one at hand."""
    for guess, attempt in sorted(others, key=lambda one: -one[0]):
        if floor == N:
            break
        best = _most(attempt, floor, guess, N, certain) or best
        floor = max(floor, labels_right(best))
    return best


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


def _most(attempt: Try, floor: int, guess: int, most: int, certain: bool) -> Candidate | None:
    """The attack that leaves most labels right above `floor`, by steps away from the guess and bisection."""
    best: Candidate | None = None
    low, high = floor, most + 1  # certified at low, or of no use; not certified at high
    at, step = min(max(guess, floor + 1), most), 1
    for _ in range(MOST_TRIED):
        if high - low <= 1:
            break
        found = attempt(at)
        if found is not None and (_certain(found) or not certain):
            low, best = max(at, labels_right(found)), found
        else:
            high = at
        at = _next(low, high, floor, most, step)
        step *= GROWTH
    return best


def _next(low: int, high: int, floor: int, most: int, step: int) -> int:
    """Away from the guess until it is bracketed, then midway."""
    if high > most:
        return min(low + step, most)
    return max(high - step, floor + 1) if low == floor else (low + high) // 2


def _certain(candidate: Candidate) -> bool:
    """Whether the candidate says which labels it recovers: none of those that it states may be wrong."""
    plan = candidate.certified
    return plan is not None and not plan.certificate.promise.wrong

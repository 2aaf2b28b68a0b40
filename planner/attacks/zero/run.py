"""Z, the zero test: a prediction of exactly 0 for the true class makes the score infinite, whatever noise is added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import inf, isnan, log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.attacks.attack import Adaptive, InconsistentScores, Listed
from planner.attacks.explained import unexplained
from planner.attacks.scores import exact_score
from planner.attacks.zero.parameters import ZeroTests
from planner.channel.channel import Channel
from planner.numerics.reals import ball, working

if TYPE_CHECKING:
    from planner.attacks.attack import Labels, Query, ScoreFunction
    from planner.channel.channel import Channel


class ZeroTest:
    """Submissions that give some classes probability 0 in some rows, and whether a score says that one was hit."""

    def __init__(self, parameters: ZeroTests, channel: Channel) -> None:
        self.parameters = parameters
        self.channel = channel

    def hit(self, score: Any, rows: range, zeroed: Sequence[int]) -> bool:
        """Whether a zero was hit; a finite score must be that of labels which share the other classes evenly."""
        if is_infinite(score):
            return True
        # Finite scores are promised to be near the loss only so far: the attack bears any noise, and reals read coarsely.
        if self.channel.scores.floating and not self.channel.random and not self._explains(score, rows, zeroed):
            raise unexplained()
        return False

    def _explains(self, score: Any, rows: range, zeroed: Sequence[int]) -> bool:
        p, channel = self.parameters, self.channel
        with working(channel.working_bits):
            idle, active = channel.neutral_charge(), ball(p.classes - len(zeroed)).log()
            loss = ((p.rows - len(rows)) * idle + len(rows) * active) / p.rows
            missed = abs(ball(exact_score(score) - channel.centre) - loss)
            return not missed > channel.errors(p.queries).score_error(loss)

    def padded(self, found: NDArray[Any]) -> Labels:
        """The labels found, and -1 for those that the attack does not speak of."""
        labels = np.full(self.parameters.rows, -1, dtype=np.int64)
        labels[: len(found)] = found
        return labels

    def _even(self) -> NDArray[Any]:
        p = self.parameters
        shape = (p.rows,) if p.columns == 1 else (p.rows, p.classes)
        return np.full(shape, 1 / p.classes)

    def submission(self, rows: range, zeroed: Sequence[int]) -> Query:
        """Probability 0 for the zeroed classes in a stretch of rows, the rest shared evenly."""
        query = self._even()
        inside = slice(rows.start, rows.stop)
        if self.parameters.columns == 1:
            query[inside] = 0.0 if 1 in zeroed else 1.0
        else:
            query[inside] = 1 / (self.parameters.classes - len(zeroed))
            query[inside, list(zeroed)] = 0.0
        return query

    def against(self, found: NDArray[Any], hit: bool) -> Query:
        """Zeros on every class but the one found, or on exactly that one."""
        query = self._even()
        rows = np.arange(len(found))
        if self.parameters.columns == 1:
            query[rows] = 1.0 - found if hit else found
        else:
            query[rows] = 1 / (self.parameters.classes - 1) if hit else 0.0
            query[rows, found] = 0.0 if hit else 1.0
        return query


class ListedZeros(Listed):
    """One test for each label and bit of its class.

    Two queries are controls: two tests of all labels at once share the classes between them, so whatever the labels are,
    one of the two is infinite, and both must be what the labels found make them.
    """

    id = "zero"

    def __init__(self, parameters: ZeroTests, channel: Channel) -> None:
        self.parameters = parameters
        self.test = ZeroTest(parameters, channel)

    def queries(self) -> Iterator[Query]:
        """One test for each label and bit of its class, then the controls."""
        for rows, zeroed in self._tests():
            yield self.test.submission(rows, zeroed)

    def _tests(self) -> Iterator[tuple[range, list[int]]]:
        """The rows and the classes with probability 0 of each test."""
        p = self.parameters
        for row in range(p.labels):
            for bit in range(p.bits):
                yield range(row, row + 1), [k for k in range(p.classes) if k >> bit & 1]
        for parity in (1, 0):
            yield range(p.labels), [k for k in range(p.classes) if k & 1 == parity]

    def decode(self, scores: Iterable[Any]) -> Labels:
        """The labels whose class bits the infinities spell, if they explain every score."""
        p, tests, given = self.parameters, list(self._tests()), list(scores)
        if len(given) != len(tests):
            raise InconsistentScores(f"{len(tests)} scores are needed, {len(given)} were given")
        hits = np.array([self.test.hit(score, *test) for score, test in zip(given, tests, strict=True)], dtype=np.int64)
        found = hits[: p.labels * p.bits].reshape(p.labels, p.bits) @ (1 << np.arange(p.bits))
        if found.size and int(found.max()) >= p.classes:
            raise InconsistentScores("the infinities spell a class that does not exist")
        odd = found & 1 == 1
        if [bool(hit) for hit in hits[p.labels * p.bits :]] != [bool(odd.any()), bool((~odd).any())]:
            raise InconsistentScores("the controls are not what the labels found make them: the scorer seems to clip")
        return self.test.padded(found)


class GroupedZeros(Adaptive):
    """Generalised binary splitting with a purse: a group is tested only when its worst case can be paid for.

    Two queries are controls: one predicts the labels found, and must stay finite; one predicts against them, and must
    not.
    """

    id = "zero"

    def __init__(self, parameters: ZeroTests, channel: Channel) -> None:
        self.parameters = parameters
        self.test = ZeroTest(parameters, channel)

    def recover(self, score: ScoreFunction) -> Labels:
        """Every label; then one query that must stay finite, and one that must not if none was infinite yet."""
        test = self.test
        search = _Search(
            self.parameters, lambda rows, zeroed: test.hit(score(test.submission(rows, zeroed)), rows, zeroed)
        )
        found = search.run()
        others = range(self.parameters.classes - 1)
        if test.hit(score(test.against(found, hit=False)), range(len(found)), others):
            raise InconsistentScores("the labels found are not all right")
        if not search.infinite and not is_infinite(score(test.against(found, hit=True))):
            raise InconsistentScores("no zero ever made the score infinite: the scorer seems to clip")
        return test.padded(found)


def is_infinite(score: Any) -> bool:
    """Whether a zero was hit; anything that is no number is refused."""
    try:
        value = float(score)
    except (TypeError, ValueError) as fault:
        raise InconsistentScores(f"{score!r} is no score") from fault
    if isnan(value) or value == -inf:
        raise InconsistentScores(f"a log-loss cannot be {value}")
    return value == inf


class _Search:
    """The labels in order: groups that are all of the commonest class, single labels by halving their classes."""

    def __init__(self, parameters: ZeroTests, hit: Any) -> None:
        self.p = parameters
        self.hit = hit
        self.purse = parameters.reserve
        self.infinite = False
        self.found = np.zeros(parameters.labels, dtype=np.int64)
        self.counts = [0] * parameters.classes

    def run(self) -> NDArray[Any]:
        """All labels."""
        at = 0
        while at < self.p.labels:
            at = self._group(at, self._group_bits(at))
        return self.found

    def _asks(self, rows: range, zeroed: Sequence[int]) -> bool:
        self.purse -= 1
        answer = bool(self.hit(rows, zeroed))
        self.infinite |= answer
        return answer

    def _settle(self, start: int, stop: int, label: int) -> None:
        self.found[start:stop] = label
        self.counts[label] += stop - start
        self.purse += (stop - start) * self.p.bits

    def _group_bits(self, at: int) -> int:
        """log2 of the group's size: near the distance to the next exception, as far as the purse goes."""
        seen, common = sum(self.counts), max(self.counts)
        wanted = log(2) * (seen + 2) / (seen - common + 1)
        extra = 1 + (self.p.classes - 2).bit_length() - self.p.bits  # to tell which other class it is
        most = min(int(wanted), self.p.labels - at)
        return max(0, min(most.bit_length() - 1, self.purse - extra)) if most else 0

    def _group(self, at: int, bits: int) -> int:
        """Settle some labels from `at` on; the place of the next one."""
        if bits == 0:
            self._settle(at, at + 1, self._class_of(at, list(range(self.p.classes))))
            return at + 1
        common = self.counts.index(max(self.counts))
        others = [k for k in range(self.p.classes) if k != common]
        low, high = at, at + (1 << bits)
        if not self._asks(range(low, high), others):
            self._settle(low, high, common)
            return high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._asks(range(low, middle), others) else (middle, high)
        self._settle(at, low, common)
        self._settle(low, low + 1, self._class_of(low, others))
        return low + 1

    def _class_of(self, row: int, classes: list[int]) -> int:
        """One label's class by halving."""
        while len(classes) > 1:
            half = classes[: len(classes) // 2]
            hit = self._asks(range(row, row + 1), half)
            classes = half if hit else classes[len(half) :]
        return classes[0]

"""What a release is: a state, a step for each score, and how many different things it can show.

A release starts in a state, and each score takes it to the next one and to what is shown; the digits of that are cut
afterwards. The defaults are the safe ones: a release that does not say how many transcripts it has may show anything, and
one that does not say that it looks at scores only as they are shown may have seen all their digits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isinf, isnan, lgamma, log, log2
from typing import Any, ClassVar

from dsl.alike import ByFields

FEW = 1000
SPARE = 1e-9  # relative, by which a figure in floats is made larger: their own error is far below it


@dataclass(frozen=True, eq=False, repr=False)
class Each(ByFields):
    """Every query is answered by one of so many values: A^M transcripts."""

    answers: int

    def bits(self, queries: int) -> float:
        """log2 of how many transcripts there are, from above, in floats."""
        return queries * log2(self.answers) * (1 + SPARE)


@dataclass(frozen=True, eq=False, repr=False)
class Falling(ByFields):
    """What is shown falls through so many levels, at any query: C(M + L, L) transcripts.

    Where it changes at most B times, the b queries at which it does and the b levels that it falls to make a transcript:
    the sum over b <= B of C(M, b) C(L, b).
    """

    levels: int  # below what is shown at first
    changes: int | None = None  # at most; None: as many as there are levels

    def bits(self, queries: int) -> float:
        """log2 of how many transcripts there are, from above, in floats."""
        M, L = queries, self.levels
        if not M or not L:
            return 0.0
        whole = _choose(M + L, L) * (1 + SPARE)
        if self.changes is None or self.changes >= min(M, L):
            return whole
        B = self.changes
        ratio = Fraction(B * B, (M - B + 1) * (L - B + 1))
        if ratio >= 1:
            return whole
        return min(whole, (_choose(M, B) + _choose(L, B) - log2(1 - ratio)) * (1 + SPARE))

    def together(self, accounts: int) -> Falling:
        """What so many boards show that fall each by itself, for whoever chooses which of them is asked next.

        Who asks follows from what was shown before, so that a transcript is told by which queries change something, and
        by the levels that each board falls to: b of all levels together.
        """
        return Falling(accounts * self.levels, None if self.changes is None else accounts * self.changes)


Transcripts = Each | Falling


def _choose(n: int, k: int) -> float:
    """log2 C(n, k), from above but for the error of floats; n^k/k! where lgamma would cancel."""
    k = min(k, n - k)
    if k < FEW:
        return sum(log2(n - i) - log2(i + 1) for i in range(k))
    if n > FEW * k:
        return k * log2(n) - lgamma(k + 1) / log(2)
    return (lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)) / log(2)


class Release(ABC):
    """One way to release scores."""

    id: ClassVar[str]
    kind: ClassVar[type]
    """The value of the language that it stands for."""
    known: ClassVar[bool] = False  # a release that is finished says so
    of_shown: ClassVar[bool] = False  # what it shows follows from the digits that would be shown of each score
    remembers: ClassVar[bool] = False  # what it shows depends on earlier scores: each account has a state of its own
    title: ClassVar[str] = ""

    @classmethod
    def of(cls, value: Any) -> Release:
        """The release with the parameters that a scenario gives it."""
        return cls()

    @abstractmethod
    def start(self) -> Any:
        """The state before the first score."""

    def at_first(self) -> Any:
        """What is shown before the first score; None: nothing."""
        return None

    @abstractmethod
    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """The next state, and what is shown, before its digits are cut."""

    def transcripts(self, unit: Fraction | None, largest: Fraction | None) -> Transcripts | None:
        """How many different things it can show, whatever the scores; None: nothing is known of that.

        Digits are shown in multiples of `unit` (None: in full), and no score exceeds `largest` (None: any may come).
        """
        return None


class UnknownRelease(Release):
    """A release that no kind describes."""

    id = "unknown"
    kind = object

    def start(self) -> Any:
        """No state is known."""
        return None

    def step(self, state: Any, score: Any) -> tuple[Any, Any]:
        """Nothing is shown rather than too much."""
        return state, inf


def rational(score: Any) -> Fraction | None:
    """A score as an exact number, not below 0; None: it is infinite, or no number, and beats nothing.

    A score below 0 exists where rows may charge less than nothing; it would add levels that nobody counted.
    """
    if isinstance(score, float) and (isnan(score) or isinf(score)):
        return None if isnan(score) or score > 0 else Fraction(0)
    return max(Fraction(0), Fraction(score))


def nearest(number: Fraction) -> int:
    """The nearest whole number, halves up."""
    return (2 * number.numerator + number.denominator) // (2 * number.denominator)

"""What stands between labels and what is shown, composed with `>>`: flipped labels, a release, digits.

The releases are the planner's own state machines, so that what is deployed is what was proved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp, isfinite
from typing import Any

from planner.channel.releases import PLAIN, Release, best, capped, changes, ladder

Number = float | int | str | Fraction
MOST_DECIMALS = 12  # that a float64 shows of every score


@dataclass(frozen=True)
class Chain:
    """All that becomes of a score: labels flipped once, a release, digits. Each may be there or not, in this order."""

    epsilon: float | None = None
    release: Release = PLAIN
    decimals: int | None = None
    places: tuple[int, ...] = ()  # of its stages, in the order in which they must stand

    def __rshift__(self, other: Chain) -> Chain:
        """This, then the other."""
        if not isinstance(other, Chain):
            return NotImplemented
        places = (*self.places, *other.places)
        if list(places) != sorted(set(places)):
            raise TypeError("stages stand in this order, each once: Response >> a release >> Rounded")
        return replace(
            self,
            epsilon=self.epsilon if other.epsilon is None else other.epsilon,
            release=self.release if other.release is PLAIN else other.release,
            decimals=self.decimals if other.decimals is None else other.decimals,
            places=places,
        )

    @property
    def text(self) -> str:
        """The release as a scenario writes it."""
        inside = ", ".join(str(one) for one in _parameters(self.release) if one is not None)
        return f"{self.release.id}({inside})" if inside else self.release.id

    def shown(self, value: Any) -> float:
        """A released score as it is read."""
        number = float(value)
        return round(number, self.decimals) if self.decimals is not None and isfinite(number) else number

    def kept(self, classes: int) -> float:
        """How often a label stays what it is."""
        assert self.epsilon is not None
        return 1 / (1 + (classes - 1) * exp(-self.epsilon))


def _parameters(release: Release) -> tuple[Fraction | int | None, ...]:
    if isinstance(release, ladder.Ladder):
        return release.eta, release.first
    if isinstance(release, capped.Capped):
        return (release.level,)
    return (release.most,) if isinstance(release, changes.Changes) else ()


def _exactly(number: Number) -> Fraction:
    """A number as it is written: 0.01 is a hundredth."""
    return number if isinstance(number, Fraction) else Fraction(str(number))


def _positive(number: Number, what: str) -> Fraction:
    found = _exactly(number)
    if found <= 0:
        raise ValueError(f"{what} must be above 0")
    return found


def Plain() -> Chain:
    """Each score is shown."""
    return Chain(places=(2,))


def Best() -> Chain:
    """The best score so far is shown."""
    return Chain(release=best.Best(), places=(2,))


def Ladder(eta: Number, start: Number | None = None) -> Chain:
    """What is shown changes for a score that beats it by eta, to a multiple of eta; from infinity, or from `start` on."""
    first = None if start is None else _positive(start, "the start of a Ladder")
    return Chain(release=ladder.Ladder(_positive(eta, "a step of the Ladder"), first), places=(2,))


def Capped(level: Number) -> Chain:
    """No score above a level is shown."""
    return Chain(release=capped.Capped(_positive(level, "the level of a cap")), places=(2,))


def Changes(most: int) -> Chain:
    """The best score so far is shown, until it changed so often."""
    if isinstance(most, bool) or not isinstance(most, int) or most < 1:
        raise ValueError("a count of changes is a whole number, at least 1")
    return Chain(release=changes.Changes(most), places=(2,))


def Rounded(decimals: int) -> Chain:
    """So many digits after the point are shown."""
    if isinstance(decimals, bool) or not isinstance(decimals, int) or not 0 <= decimals <= MOST_DECIMALS:
        raise ValueError(f"decimals are a whole number up to {MOST_DECIMALS}")
    return Chain(decimals=decimals, places=(3,))


def Response(epsilon: float) -> Chain:
    """Scores are computed on labels that were flipped once, each by itself; never drawn again."""
    if not 0 < float(epsilon) < float("inf"):
        raise ValueError("epsilon must be above 0")
    return Chain(epsilon=float(epsilon), places=(1,))

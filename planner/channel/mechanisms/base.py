"""What stands between a score that was computed and the score that is read: laws of noise, and rules of digits.

A mechanism says what it hides. The defaults are the safe ones: a law that says nothing is within no bound, has no tail
that ends and carries any number of bits, so that nothing is promised under it and nothing excluded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from flint import arb

from planner.numerics.reals import Term, number_text


class Reduction(NamedTuple):
    """A theorem that turns a feature of the channel into a part of one error bound."""

    id: str
    title: str
    cite: str
    statement: str
    erratum: str | None = None


class Law(ABC):
    """One law of noise."""

    kind: ClassVar[type]
    """The value of the language that it stands for."""
    random: ClassVar[bool] = False  # independent from query to query
    quiet: ClassVar[bool] = False  # nothing is added at all
    certain: ClassVar[bool] = False  # within a bound, whatever happens
    grows: ClassVar[bool] = False  # with the loss
    normal: ClassVar[bool] = False  # orthogonal averages are independent
    flat: ClassVar[bool] = False  # uniform over an interval
    tailed: ClassVar[bool] = False  # of no bound at all, however unlikely
    known: ClassVar[bool] = False  # a law that is finished says so; until then nothing is promised under it or excluded
    reduction: ClassVar[Reduction | None] = None
    scales: ClassVar[tuple[tuple[str, int], ...] | None] = None
    """The power of c by which each parameter is divided where the noise is; None: that is not known."""

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def name(self) -> str:
        """What the language calls it."""
        return type(self.value).__name__.lower()

    @property
    def centre(self) -> Fraction:
        """What an attacker subtracts from every score before anything else."""
        return Fraction(0)

    def size(self) -> arb:
        """How far from its loss a score lies on average, before the attacker subtracts the centre."""
        return arb(0)

    def factor(self) -> arb:
        """By which part of itself the computed score may change."""
        return arb(0)

    @property
    def tilt(self) -> Fraction:
        """The factor from above: by which part a decoder's thresholds lie nearer to the smaller of two sums."""
        return Fraction(0)

    @property
    def text(self) -> str:
        """The law by its name and its parameters, as facts are compared."""
        inside = ", ".join(number_text(getattr(self.value, each.name)) for each in fields(self.value))
        return f"{self.name}({inside})"

    def within(self, delta: Fraction, queries: int) -> arb:
        """tau: all of `queries` noises, recentred, stay within it; for random noise with probability 1 - delta.

        The union bound gives each query delta/queries. What grows with the loss is no part of it: that is the factor.
        """
        return arb.pos_inf()

    def off_centre(self) -> arb:
        """By how much the law's own centre may differ from the one that is subtracted."""
        return arb(0)

    def tail_of_mean(self, count: int, x: arb) -> arb:
        """A bound on P(|mean of `count` independent noises, recentred| >= x); 1, where the noise is not random."""
        return arb(1)

    def cumulant(self, s: arb) -> arb:
        """A bound on ln E exp(t (noise - its centre)) for t = s > 0 and t = -s; infinite: nothing is known of it."""
        return arb.pos_inf()

    def peak(self, count: int, s: arb) -> arb:
        """A bound on the density of the sum of `count` noises, each tilted by e^(s x); infinite: there may be none."""
        return arb.pos_inf()

    def capacity(self, reach: arb) -> arb:
        """Bits that one score confined to an interval of this length can carry through the noise."""
        return arb.pos_inf()

    @property
    def concentrates(self) -> bool:
        """Whether the capacity is also bounded by the variance of its input."""
        return False

    def label_error(self, shift: arb, queries: int) -> arb:
        """A lower bound on the probability that two scores so far apart are confused after so many queries."""
        return arb(0)

    def normal_deviation(self) -> arb | None:
        """The deviation of the normal law that the noise is, or may be; None: it is none."""
        return None

    def mistaken(self, shift: arb, queries: int, delta: Fraction, point: Fraction) -> arb:
        """A lower bound on how often scores are taken for those of a law that lies so far off, by any test that is wrong
        about that law with probability delta; it is convex in delta, and every point gives one."""
        return arb(0)

    def mistaken_at(self, shift: arb, queries: int, delta: float) -> Fraction:
        """About the point that gives the most."""
        return Fraction(0)

    def snapped(self, spread: Term, least: Term | None, largest: Term) -> tuple[int, str] | None:
        """Answers that an adversary leaves who snaps scores to a grid, and why; None: it cannot.

        Scores lie in an interval of length `spread`, between the `least` loss above 0, if there is one, and `largest`.
        """
        return None

    def grid(self) -> Fraction | None:
        """The step of a grid that an adversary can snap every score to, whatever its size."""
        return None

    def blur(self) -> Fraction | None:
        """The step of a grid that hides as much as the noise does: what is left of a score modulo it tells nothing."""
        return None

    def variance(self) -> arb:
        """Of the noise; 0 where nothing is known of it."""
        return arb(0)

    def carries(self, variance: arb) -> arb:
        """Bits that a score of this variance can carry through the noise; it rises with it, and is concave."""
        return arb.pos_inf()

    def explained(self, delta: Fraction, queries: int) -> str:
        """The reduction's step in a plan's chain, with its figures."""
        return ""


class UnknownLaw(Law):
    """A law that no kind describes."""

    kind = object

    @property
    def text(self) -> str:
        """A name that equals no other."""
        return f"unknown: {type(self.value).__name__}"

    def size(self) -> arb:
        """Of any size."""
        return arb.pos_inf()

    def factor(self) -> arb:
        """By any factor."""
        return arb.pos_inf()


class Digits(ABC):
    """One rule for the digits that are shown of a score."""

    kind: ClassVar[type]
    """The value of the language that it stands for."""
    known: ClassVar[bool] = False  # a rule that is finished says so
    steps: ClassVar[bool] = False  # every score is shown as a multiple of one unit
    truncates: ClassVar[bool] = False
    grows: ClassVar[bool] = False  # what is hidden grows with the score
    roundings: ClassVar[int] = 1  # how often a score is rounded in its own format on the way to its digits

    def __init__(self, value: Any, parts: int = 1) -> None:
        """Digits of a score; or of the sum of so many parts, where the score is what one part has of it."""
        self.value = value
        self.parts = parts

    @property
    @abstractmethod
    def text(self) -> str:
        """The rule, as facts are compared."""

    @property
    def digits(self) -> int:
        """How many are shown; 0 where all are."""
        return 0

    @property
    def unit(self) -> Fraction | None:
        """The last decimal, where every score is shown as a multiple of it; the score's share of it, where a sum is shown."""
        return None

    @property
    def centre(self) -> Fraction:
        """What the rule adds to a score on average."""
        return Fraction(0)

    def half_unit(self) -> arb:
        """How far what is shown, recentred, is from the score, whatever the score is."""
        return arb.pos_inf()

    def relative(self, largest: arb) -> arb:
        """How far it is beyond that, for scores up to `largest`."""
        return arb(0)

    def answers(self, interval: Term, largest: Term, least: Term | None) -> tuple[int, str] | None:
        """How many different scores of an interval of this length can be shown, and why; None: any number.

        It lies anywhere between the `least` score above 0, if there is one, and the `largest`.
        """
        return None

    def explained(self) -> str:
        """The step in a plan's chain."""
        return ""


class UnknownDigits(Digits):
    """A rule that no kind describes."""

    kind = object

    @property
    def text(self) -> str:
        """A name that equals no other."""
        return f"unknown: {type(self.value).__name__}"

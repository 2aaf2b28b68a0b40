"""Inequalities that were checked, with rigorous bounds on both sides."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.alike import ByFields


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bound(ByFields):
    """A real number as a rigorous decimal enclosure."""

    lo: str
    hi: str

    def __str__(self) -> str:
        return self.lo if self.lo == self.hi else f"[{self.lo}, {self.hi}]"


@dataclass(frozen=True, eq=False, repr=False)
class Inequality(ByFields):
    """One checked relation, with both sides as rigorous bounds."""

    name: str  # what is compared, in the notation of the theory
    left: Bound
    relation: str  # ">", ">=", "<" or "<="
    right: Bound
    holds: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Proof(ByFields):
    """The inequalities of a family, and in words what they guarantee."""

    guarantee: str
    inequalities: tuple[Inequality, ...]

    @property
    def holds(self) -> bool:
        """Whether every inequality was proved."""
        return bool(self.inequalities) and all(one.holds for one in self.inequalities)

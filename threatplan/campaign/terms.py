"""What is asked of every scenario of a campaign, and what it may cost."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

MIB = 2**20


@dataclass(frozen=True, slots=True)
class Terms:
    """The same for all scenarios; a part of the campaign's identity."""

    trials: int = 2  # simulations of each certified attack
    seed: int = 0  # of labels, noise and adversaries
    seconds: float = 60.0  # of processor time that one scenario may take
    memory: int = 1024 * MIB  # bytes that one scenario may take

    def to_json(self) -> dict[str, Any]:
        """The terms as JSON data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Task:
    """One scenario to examine: its number in the campaign and its text."""

    index: int
    source: str

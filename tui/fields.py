"""The scenario's fields as controls. What they show and write is in `tui.steps`, loaded when it is needed."""

from __future__ import annotations

from typing import NamedTuple


class Field(NamedTuple):
    """One control: the name it carries, the field of the language that it writes, and what that means."""

    name: str
    target: str
    hint: str
    operator: str = "="

    @property
    def label(self) -> str:
        """What the control is called on the screen: a part of a field says of which one."""
        return self.name if self.name == self.target else f"{self.target} {self.name}"


FIELDS: tuple[Field, ...] = (
    Field("N", "N", "hidden labels"),
    Field("K", "K", "classes"),
    Field("guess", "guess", "labels that the attacker guesses right beforehand"),
    Field("public", "public", "rows that are scored, a secret part"),
    Field("metric", "metric", "the score that is shown"),
    Field("phi", "phi", "precision of the scorer's arithmetic"),
    Field("noise", "noise", "law of the noise on a score"),
    Field("level", "noise", "scale of the noise"),
    Field("decimals", "decimals", "digits shown after the point"),
    Field("clip", "clip", "probabilities stay within [clip, 1-clip]"),
    Field("scorer", "scorer", "a real scorer's settings"),
    Field("queries", "queries", "submissions the attacker has", "<="),
    Field("time", "time", "computing the attacker has"),
    Field("adaptive", "adaptive", "may a query depend on earlier scores"),
    Field("goal", "goal", "labels that must be recovered"),
    Field("confidence", "confidence", "chance of success under random noise"),
)

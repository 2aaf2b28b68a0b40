"""What differs between two scenarios, in the words of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from dsl.scenario import Scenario


class Change(NamedTuple):
    """A field, what it held and what it holds."""

    field: str
    old: str
    new: str

    @property
    def line(self) -> str:
        """The line to write for it."""
        from dsl.checking.fields import FIELDS

        return f"{self.field} {FIELDS[self.field].operator} {self.new}"


def changes(old: Scenario, new: Scenario) -> tuple[Change, ...]:
    """Each field whose value is another one, in the order of the language."""
    from dsl.checking.fields import FIELDS
    from dsl.checking.spelling import field_value

    found = []
    for name, field in FIELDS.items():
        before, after = getattr(old, field.slot), getattr(new, field.slot)
        if before != after:
            found.append(Change(name, field_value(name, before), field_value(name, after)))
    return tuple(found)

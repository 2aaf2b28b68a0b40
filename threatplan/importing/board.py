"""What a configuration file says of a board, whatever the platform."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

from threatplan.faults import CommandError

LARGEST = 10**12  # a count beyond that is a mistake


@dataclass(frozen=True, slots=True)
class Column:
    """A score that a board shows."""

    name: str
    decimals: int | None = None  # on the board; None: not said
    hidden: bool = False  # not on the board, though stored


@dataclass(frozen=True, slots=True)
class Phase:
    """A part of a competition with rules of its own."""

    name: str
    columns: tuple[Column, ...]
    total: int | None = None  # submissions in all
    day: int | None = None  # and a day
    month: int | None = None
    start: date | None = None
    end: date | None = None
    rows: int | None = None  # of a submission, where the file knows it
    closed: bool = False  # nobody may submit

    @property
    def days(self) -> int | None:
        """How long it lasts, the first and the last day included."""
        if self.start is None or self.end is None or self.end < self.start:
            return None
        return (self.end - self.start).days + 1

    @property
    def budget(self) -> int | None:
        """The fewest submissions that a rule leaves; None: no rule says how many in all."""
        if self.closed:
            return 0
        days = self.days
        found = [self.total]
        if days is not None:
            found += [
                None if self.day is None else self.day * days,
                None if self.month is None else self.month * self._months(),
            ]
        return min((each for each in found if each is not None), default=None)

    def _months(self) -> int:
        """Months of the calendar that it touches."""
        assert self.start is not None
        assert self.end is not None
        return 12 * (self.end.year - self.start.year) + self.end.month - self.start.month + 1


@dataclass(frozen=True, slots=True)
class Board:
    """A competition: its platform and phases, and the keys of the file that nobody here knows."""

    platform: str
    title: str
    phases: tuple[Phase, ...]
    unknown: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    by_name: bool = False  # a metric is named by scikit-learn's own function


class Platform(Protocol):
    """What the module of a platform offers."""

    NAME: str  # in the language
    FILE: str  # what its configuration goes by

    def fits(self, data: Part) -> bool:
        """Whether a file is one of its own."""
        ...

    def read(self, data: Part) -> Board:
        """What the file says."""
        ...


class Part:
    """A mapping of the file and where it stands, so that a fault can say what is wrong where."""

    def __init__(self, data: Any, place: str = "") -> None:
        self.place = place
        if not isinstance(data, Mapping):
            raise CommandError(f"{place or 'the file'}: expected keys with values, found {_kind(data)}")
        self.data = data

    def text(self, key: str, default: str = "") -> str:
        """A text, or what stands for one."""
        held = self.data.get(key)
        if held is None:
            return default
        if isinstance(held, Mapping | list):
            raise self.fault(key, "a text", held)
        return str(held)

    def count(self, *keys: str) -> int | None:
        """A whole number that is not negative, under the first of these keys that is there; None: it is not said."""
        for key in keys:
            held = self.data.get(key)
            if isinstance(held, str) and held.strip().isdecimal() and len(held) < 20:
                held = int(held)
            if held is None or held == "":
                continue
            if isinstance(held, bool) or not isinstance(held, int) or not 0 <= held <= LARGEST:
                raise self.fault(key, f"a whole number from 0 to {LARGEST:,}", held)
            return held
        return None

    def day(self, *keys: str) -> date | None:
        """A day, under the first of these keys that is there."""
        for key in keys:
            held = self.data.get(key)
            if held is None or held == "":
                continue
            found = _day(held)
            if found is None:
                raise self.fault(key, "a date such as 2024-05-31", held)
            return found
        return None

    def parts(self, key: str) -> Iterator[Part]:
        """The mappings of a list, or of a mapping from numbers or names."""
        held = self.data.get(key)
        if held is None:
            return
        items: Sequence[tuple[Any, Any]] = (
            list(held.items()) if isinstance(held, Mapping) else list(enumerate(held)) if isinstance(held, list) else ()
        )
        if not isinstance(held, Mapping | list):
            raise self.fault(key, "a list", held)
        for name, one in items:
            yield Part(one, f"{self._path(key)}[{name}]")

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts."""
        held = self.data.get(key, [])
        if not isinstance(held, list) or any(isinstance(one, Mapping | list) for one in held):
            raise self.fault(key, "a list of names", held)
        return tuple(map(str, held))

    def flag(self, key: str) -> bool:
        """Whether it is set."""
        return bool(self.data.get(key))

    def fault(self, key: str, expected: str, held: Any) -> CommandError:
        """That a key holds something else."""
        return CommandError(f"{self._path(key)}: expected {expected}, found {_kind(held)}")

    def unknown(self, known: Sequence[str]) -> tuple[str, ...]:
        """The keys that are not among these."""
        return tuple(str(key) for key in self.data if key not in known)

    def _path(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key


def _day(held: Any) -> date | None:
    if isinstance(held, datetime):
        return held.date()
    if isinstance(held, date):
        return held
    try:
        return date.fromisoformat(str(held).strip()[:10])
    except ValueError:
        return None


def _kind(held: Any) -> str:
    if isinstance(held, Mapping):
        return "keys with values"
    if isinstance(held, list):
        return "a list"
    return "nothing" if held is None else f"`{str(held)[:40]}`"

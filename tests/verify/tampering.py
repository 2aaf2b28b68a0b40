"""Reports changed in one number: where the numbers are, and what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from tests.verify.samples import Entry
from threatplan.verify import Unreadable, first_fault

Path = tuple[str | int, ...]

EXEMPT = {
    "name": "prose",
    "title": "prose",
    "file": "prose",
    "why": "prose",
    "guarantee": "prose",
    "obligations": "prose: what they compare is checked as promise and channel",
    "sources": "where values were written",
    "paper": "what the paper claims; nothing is relied on",
    "reasons": "why something was refused, in words",
    "chain": "prose",
    "cite": "prose",
    "theorem": "prose",
    "expectations": "judged by `plan check`",
    "labels_per_query": "a price",
    "precision_bits": "a price",
    "prediction_bits": "a price",
    "operations": "a price",
    "memory": "a price",
}
"""Parts of a report that nobody vouches for, by their names."""

_NUMBER = re.compile(r"-?(0x[0-9a-f]+|\d+(\.\d+)?(e[+-]?\d+)?)(/(0x[0-9a-f]+|\d+))?\Z")


def leaves(data: Any, path: Path = ()) -> Iterator[Path]:
    """Every number of a report that is not exempt."""
    if isinstance(data, dict | list):
        for name, value in data.items() if isinstance(data, dict) else enumerate(data):
            if name not in EXEMPT:
                yield from leaves(value, (*path, name))
    elif not isinstance(data, bool) and (isinstance(data, int | float) or _is_number(data)):
        yield path


def named(data: Any, wanted: str, path: Path = ()) -> Iterator[Path]:
    """Every place of that name that is not exempt."""
    for name, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        if name == wanted:
            yield (*path, name)
        elif name not in EXEMPT:
            yield from named(value, wanted, (*path, name))


def _is_number(data: Any) -> bool:
    return isinstance(data, str) and bool(_NUMBER.match(data))


def changes(value: Any) -> list[Any]:
    """Other numbers in its place, written alike: one more, one less, the double, and a hair less where it is exact."""
    return [
        one for one in _others(value) if one != value and (not isinstance(one, str) or _value(one) != _value(value))
    ]


def _value(text: str) -> Fraction:
    top, _, bottom = text.partition("/")
    return Fraction(int(top, 0), int(bottom, 0) if bottom else 1) if "0x" in text else Fraction(text)


def _others(value: Any) -> list[Any]:
    if isinstance(value, float):
        return [value * (1 - 1e-9), value + 1, value * 2]
    if isinstance(value, int):
        return [value + 1, value - 1, value * 2 if value else 2]
    if "/" in value or "0x" in value:
        exact = _value(value)
        near = exact * (1 - Fraction(1, 10**9))
        return [_like(value, one) for one in (near, exact + 1, exact - 1, exact * 2)]
    exact, digits = Fraction(value), Context(prec=40)
    return [
        str(digits.divide(Decimal(one.numerator), Decimal(one.denominator))).lower()
        for one in (exact + 1, exact - 1, exact * 2)
    ]


def _like(text: str, value: Fraction) -> str:
    hexadecimal = "0x" in text
    return f"{value.numerator:#x}/{value.denominator:#x}" if hexadecimal else f"{value.numerator}/{value.denominator}"


def read(data: Any, path: Path) -> Any:
    """What stands at a place."""
    for name in path:
        data = data[name]
    return data


def refused(entry: Entry, path: Path, value: Any) -> bool:
    """Whether a report with another number at a place is refused; it is as it was afterwards."""
    place, name = read(entry, path[:-1]), path[-1]
    before = place[name]
    place[name] = value
    try:
        return faulty(entry)
    finally:
        place[name] = before


def faulty(entry: Entry) -> bool:
    """Whether a report is refused."""
    try:
        return first_fault(entry) is not None
    except Unreadable:
        return True

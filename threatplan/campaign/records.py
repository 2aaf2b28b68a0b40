"""The shape of a record: a journal is a file, and what it holds may be anybody's."""

from __future__ import annotations

from math import isfinite
from typing import Any

from threatplan.campaign.examine import Record


def must_be_record(record: Record, size: int) -> None:
    """Raise ValueError (or what comes of asking a wrong type) unless a campaign of `size` scenarios could have made it."""
    index = _count(record["index"])
    _must(index < size, f"scenario {index} of {size}")
    _texts(record["source"], record["verdict"], record.get("exceeded", ""), *_list(record.get("unmet", [])))
    for one in _list(record["defects"]):
        _texts(one["kind"], one["where"] or "", one["text"])
    for name, entry in record.get("attacks", {}).items():
        _texts(name, entry["status"])
        _entry(entry)
    bound = record.get("lower_bound", {"by": None})
    if bound["by"] is not None:
        _texts(bound["by"])
        _must(_count(bound["queries"]) > 0, "a bound of no query")
        _must(record["queries"] is None or _count(record["queries"]) >= 0, "no number of queries")


def _entry(entry: Any) -> None:
    """What is recorded of one attack."""
    _must(_count(entry["missed"]) <= _count(entry["trials"]), "more failures than trials")
    for name in ("chance", "margin"):
        _must(entry[name] is None or isfinite(_number(entry[name])), f"no finite {name}")
    _must(entry["chance"] is None or 0 <= entry["chance"] <= 1, "no probability")


def _texts(*values: Any) -> None:
    for value in values:
        _must(isinstance(value, str), f"{type(value).__name__} where a text belongs")


def _list(value: Any) -> list[Any]:
    _must(isinstance(value, list), f"{type(value).__name__} where a list belongs")
    return list(value)


def _number(value: Any) -> float:
    _must(type(value) in (int, float), f"{type(value).__name__} where a number belongs")
    return float(value)


def _count(value: Any) -> int:
    _must(type(value) is int and value >= 0, f"{value!r:.40} where a count belongs")
    return int(value)


def _must(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)

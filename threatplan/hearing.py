"""Answers as people write them, put into the words of the language."""

from __future__ import annotations

import re
from typing import Final

from dsl.checking.metrics import BY_NAME
from threatplan.importing.names import grouped, metric_of

_UNIT = re.compile(
    r"\s+(?:rows?|labels?|class(?:es)?|decimals?|digits?|submissions?|queries|in all)\.?$", re.IGNORECASE
)
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[ ,.'_]\d{3})+")
_EACH = r"(\d{1,9})(?: submissions?)?(?: a | per | each | every | ?/ ?)day"
_EACH_DAY = re.compile(_EACH, re.IGNORECASE)
_DAILY = re.compile(_EACH + r",?(?: (?:for|over|x|times))? (\d{1,9}) days?", re.IGNORECASE)
_SHARES: Final = {"half": "1/2", "a half": "1/2", "a third": "1/3", "two thirds": "2/3", "a quarter": "1/4"}
_BETWEEN = re.compile(r"\s*(?:[,;+&/]|\band\b)\s*")


def heard(field: str, answer: str) -> str:
    """What was meant, as the language writes it; what is not understood stays as it is."""
    bare = _UNIT.sub("", answer.strip())
    if field == "public":
        share = re.sub(r"\s*(?:%|per ?cent)$", "%", bare)
        return _SHARES.get(bare.lower(), share if "." in share else _counted(share))
    if field == "K" and bare.lower() in ("binary", "two"):
        return "2"
    if field == "queries" and (told := _DAILY.fullmatch(bare)):
        return f"{told[1]}*{told[2]}"
    if field in ("noise", "guess") and bare.lower() == "no":
        return "none"
    return _counted(bare) if field in ("N", "queries") else bare


def daily(answer: str) -> str | None:
    """So many submissions a day, where it is not said for how many days."""
    told = _EACH_DAY.fullmatch(answer.strip())
    return told[1] if told else None


def scores(answer: str) -> tuple[str, ...]:
    """The scores that a board shows, as values of `metric`: one of those that are computed of the same rows."""
    inside = re.fullmatch(r"several\((.*)\)", answer.strip())
    names = _BETWEEN.split(inside[1] if inside else answer.strip())
    known = [name if name in BY_NAME else metric_of(name) for name in names]
    found = [name for name in known if name is not None]
    if len(found) < len(known):
        return (answer.strip(),)
    return tuple(group[0] if len(group) == 1 else f"several({', '.join(group)})" for group in grouped(found))


def _counted(text: str) -> str:
    """Thousands are grouped by `_`."""
    return re.sub(r"[ ,.']", "_", text) if _THOUSANDS.fullmatch(text) else text

"""The releases: `ladder(η, start)` and its like."""

from __future__ import annotations

from typing import Final

from dsl.checking.evaluate import Scope, number, real
from dsl.checking.faults import Fault
from dsl.checking.fields import RELEASE_CALLS
from dsl.numbers import Real
from dsl.reading.suggest import nearest
from dsl.reading.syntax import Call, Expr, Name
from dsl.scenario import BestOnly, CappedAt, ChangesOnly, LadderOf, Plain, Release

WORDS: Final[dict[str, Release]] = {"plain": Plain(), "best": BestOnly()}
CALLS: Final = ("ladder", "capped", "changes")
NAMES: Final = (*WORDS, *CALLS)
MOST_CHANGES: Final = 10**18


def release(node: Expr, scope: Scope) -> Release:
    """`release`."""
    name = node.name if isinstance(node, Call) else node
    if not isinstance(name, Name) or name.text not in NAMES:
        said = f"unknown release `{name.text}`" if isinstance(name, Name) else "a release is wanted"
        hint = nearest(name.text, NAMES) if isinstance(name, Name) else None
        raise Fault("T058", said, name, hint or f"there are {', '.join(NAMES)}")
    if name.text in WORDS:
        if isinstance(node, Call):
            raise Fault("T044", f"`{name.text}` takes no arguments", node, f"write `{name.text}`")
        return WORDS[name.text]
    if not isinstance(node, Call):
        raise Fault("T044", f"`{name.text}` needs its parameters", node, f"write {_usage(name.text)}")
    return _made(node, scope)


def _usage(name: str) -> str:
    return " or ".join(f"`{one}`" for one in RELEASE_CALLS if one.startswith(name))


def _made(node: Call, scope: Scope) -> Release:
    name, given = node.name.text, len(node.arguments)
    if given not in ((1, 2) if name == "ladder" else (1,)):
        wanted = "1 or 2 arguments" if name == "ladder" else "1 argument"
        raise Fault("T044", f"`{name}` takes {wanted}, not {given}", node, f"write {_usage(name)}")
    if name == "ladder":
        start = _positive(node.arguments[1], scope, "the start of a Ladder") if given == 2 else None
        return LadderOf(_positive(node.arguments[0], scope, "a step of the Ladder"), start)
    if name == "capped":
        return CappedAt(_positive(node.arguments[0], scope, "the level of a cap"))
    return ChangesOnly(_count(node.arguments[0], scope))


def _positive(node: Expr, scope: Scope, what: str) -> Real:
    value = real(node, scope)
    if value.lo <= 0:
        raise Fault("T059", f"{what} must be above 0", node)
    return value


def _count(node: Expr, scope: Scope) -> int:
    value = number(node, scope)
    if isinstance(value, Real) or value.denominator != 1 or not 1 <= value <= MOST_CHANGES:
        raise Fault("T059", "`changes` takes a count of changes, at least 1", node, "the first score is one of them")
    return int(value)

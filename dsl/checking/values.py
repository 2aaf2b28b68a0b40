"""What each field may hold: syntax trees to checked values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from dsl.checking import laws, releases
from dsl.checking.evaluate import Scope, floored, number, real
from dsl.checking.faults import Fault
from dsl.checking.fields import FIELDS, NAMES
from dsl.checking.functions import Value
from dsl.checking.presets import PRESETS
from dsl.checking.spelling import rational
from dsl.numbers import Real
from dsl.reading.suggest import nearest
from dsl.reading.syntax import Call, Expr, Name, Percent, Text
from dsl.scenario import (
    Arbitrary,
    Between,
    Decimals,
    FixedPoint,
    Ieee,
    Percentage,
    Precision,
    Public,
    Scorer,
    Several,
    Shown,
    Significant,
    Summation,
    Time,
    Truncated,
)

MOST_LABELS: Final = 10**18
MOST_CLASSES: Final = 10**6
MOST_BITS: Final = 10**6
MOST_DIGITS: Final = 1000
ROUND: Final = "round it with `floor(…)`, `ceil(…)` or `round(…)`"
MOST_EPSILON: Final = 1000  # a label is flipped once in 10^434


def about(value: Value) -> str:
    """A number as a message shows it."""
    if isinstance(value, Real):
        return f"about {_decimal(value.lo)}"
    text = rational(value)
    return text if len(text) <= 30 else f"about {_decimal(Fraction(value))}"


def _decimal(value: Fraction) -> str:
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return f"{'-' if value < 0 else ''}10^{(abs(value.numerator).bit_length() * 30103) // 100000}"


def whole(node: Expr, scope: Scope, code: str, what: str, least: int, most: int, hint: str = ROUND) -> int:
    """An integer within [least, most]."""
    value = number(node, scope)
    if isinstance(value, Real) or value.denominator != 1:
        raise Fault(code, f"{what} must be a whole number, not {about(value)}", node, hint)
    if value < least:
        need = "positive" if least == 1 else f"at least {least}"
        raise Fault(code, f"{what} must be {need}, not {about(value)}", node)
    if value > most:
        raise Fault("T041", f"{what} is at most {most:,}", node)
    return int(value)


def labels(node: Expr, scope: Scope) -> int:
    """`N`."""
    return whole(node, scope, "T031", "N", 1, MOST_LABELS)


def classes(node: Expr, scope: Scope) -> int:
    """`K`."""
    return whole(node, scope, "T032", "K", 2, MOST_CLASSES)


def precision(node: Expr, scope: Scope) -> Precision:
    """`phi`."""
    if isinstance(node, Name):
        if node.text == "arbitrary":
            return Arbitrary()
        if node.text in ("float16", "float32", "float64"):
            return Ieee({"float16": 16, "float32": 32, "float64": 64}[node.text])  # type: ignore[arg-type]
    if isinstance(node, Call) and node.name.text == "fixed":
        laws.arity(node, 2, "fixed(i, f)")
        before = whole(node.arguments[0], scope, "T039", "the bits before the point", 0, MOST_BITS)
        after = whole(node.arguments[1], scope, "T039", "the bits after the point", 1, MOST_BITS)
        return FixedPoint(before, after)
    bits = whole(node, scope, "T039", "phi", 3, MOST_BITS)
    return FixedPoint(bits - 1 - (bits - 1) // 2, (bits - 1) // 2)


def score_precision(node: Expr, scope: Scope) -> Precision | None:
    """`score_phi`; that it is of the kind of `phi` is checked when both are known."""
    if isinstance(node, Name) and NAMES.get(node.text) == "phi":
        return None
    return precision(node, scope)


def shown(node: Expr, scope: Scope) -> Shown:
    """`decimals`."""
    if isinstance(node, Name) and node.text == "full":
        return None
    if isinstance(node, Call) and node.name.text == "significant":
        laws.arity(node, 1, "significant(n)")
        return Significant(whole(node.arguments[0], scope, "T039", "significant digits", 1, MOST_DIGITS))
    if isinstance(node, Call) and node.name.text == "percent":
        laws.arity(node, 1, "percent(k)")
        return Percentage(2 + whole(node.arguments[0], scope, "T039", "decimals of a percentage", 0, MOST_DIGITS - 2))
    if isinstance(node, Call) and node.name.text == "truncated":
        laws.arity(node, 1, "truncated(n)")
        return Truncated(whole(node.arguments[0], scope, "T039", "truncated decimals", 0, MOST_DIGITS))
    counted = "they are counted: `decimals = 3`; of a board that shows 87.32 % write `decimals = percent(2)`"
    return Decimals(whole(node, scope, "T039", "decimals", 0, MOST_DIGITS, counted))


def clip(node: Expr, scope: Scope) -> Real | None:
    """`clip`."""
    if isinstance(node, Name) and node.text == "none":
        return None
    value = real(node, scope)
    if value.lo <= 0:
        hint = "write `clip = none` for a scorer that does not clip" if value.hi >= 0 else None
        raise Fault("T033", f"clip must be above 0, not {about(_tight(value))}", node, hint)
    if value.hi >= Fraction(1, 2):
        hint = f"did you mean `1e-{value.lo}`?" if value.exact and 1 < value.lo < 400 else None
        raise Fault("T033", f"clip must be below 1/2, not {about(_tight(value))}", node, hint)
    return value


def response(node: Expr, scope: Scope) -> Real | None:
    """`response`."""
    if isinstance(node, Name) and node.text == "none":
        return None
    value = real(node, scope)
    if value.lo <= 0 or value.hi > MOST_EPSILON:
        hint = "write `response = none` where labels are scored as they are" if value.hi >= 0 else None
        raise Fault(
            "T064", f"response must be above 0 and at most {MOST_EPSILON}, not {about(_tight(value))}", node, hint
        )
    return value


def _tight(value: Real) -> Value:
    return value.lo if value.exact else value


def columns(node: Expr, scope: Scope) -> int:
    """`columns`; that it is 1 or K is checked when both are known."""
    return whole(node, scope, "T036", "columns", 1, MOST_CLASSES)


def queries(node: Expr, scope: Scope) -> int | None:
    """`queries`."""
    if isinstance(node, Name) and node.text == "unlimited":
        return None
    count = floored(node, scope)
    if count < 0:
        raise Fault("T038", f"the budget cannot be negative: {about(number(node, scope))}", node)
    return count


def share(node: Expr, scope: Scope, what: str) -> Fraction:
    """A rational number above 0 and not above 1."""
    value = number(node, scope)
    if isinstance(value, Real):
        raise Fault("T035", f"{what} must be a rational number, not {about(value)}", node, "write it as a/b or a%")
    if value <= 0:
        raise Fault("T035", f"{what} must be above 0, not {about(value)}", node)
    if value > 1:
        hint = f"did you mean `{value}%`?" if value <= 100 and value.denominator == 1 else None
        raise Fault("T035", f"{what} is at most 100%, not {about(Fraction(value) * 100)}%", node, hint)
    return Fraction(value)


def goal(node: Expr, scope: Scope) -> Fraction:
    """`goal`."""
    if isinstance(node, Name) and node.text == "all":
        return Fraction(1)
    return share(node, scope, "goal")


def guess(node: Expr, scope: Scope) -> Fraction | None:
    """`guess`."""
    if isinstance(node, Name) and node.text == "none":
        return None
    return share(node, scope, "guess")


def positives(node: Expr, scope: Scope) -> int | Fraction | None:
    """`positives`: a count is an int, a share a Fraction; what that is of N is checked when both are known."""
    if isinstance(node, Name) and node.text == "unknown":
        return None
    value = number(node, scope)
    if isinstance(node, Percent) and isinstance(value, int | Fraction) and 0 <= value <= 1:
        return Fraction(value)
    if isinstance(value, Real) or value < 0 or (value > 1 and value.denominator > 1):
        raise Fault("T049", f"positives must be a count, not {about(value)}", node, "for example `125`, or `1%`")
    return int(value) if value.denominator == 1 else Fraction(value)


def public(node: Expr, scope: Scope) -> Public:
    """`public`: a count is an int, a share a Fraction; that they fit N is checked when both are known."""
    if isinstance(node, Name) and node.text == "all":
        return None
    example = "for example `300`, `30%` or `between(280, 320)`"
    if isinstance(node, Call) and node.name.text == "between":
        laws.arity(node, 2, "between(a, b)")
        low, high = (whole(end, scope, "T055", "an end of `public`", 1, MOST_LABELS) for end in node.arguments)
        if low > high:
            raise Fault(
                "T055", f"no count of rows lies between {low:,} and {high:,}", node, "write the lower end first"
            )
        return low if low == high else Between(low, high)
    value = number(node, scope)
    if isinstance(value, Real):
        raise Fault("T055", f"public must be a count of rows, not {about(value)}", node, example)
    if isinstance(node, Percent) or value.denominator > 1:
        if not 0 < value <= 1:
            raise Fault("T055", f"public must be a share of the rows, not {about(value)}", node, example)
        return Fraction(value)
    if value < 1:
        raise Fault("T055", f"a score is computed on at least one row, not on {about(value)}", node, example)
    return int(value)


def confidence(node: Expr, scope: Scope) -> Fraction:
    """`confidence`."""
    value = share(node, scope, "confidence")
    if value == 1:
        raise Fault("T035", "confidence must be below 100%", node, "for example `99.9%`")
    return value


def word(field: str) -> Callable[[Expr, Scope], str]:
    """One of the words that a field may hold."""
    words = FIELDS[field].words

    def convert(node: Expr, scope: Scope) -> str:
        if isinstance(node, Name) and node.text in words:
            return node.text
        offer = f"write {' or '.join(f'`{each}`' for each in words)}"
        if isinstance(node, Name):
            hint = _yes_no(node.text, words) or nearest(node.text, words) or offer
            raise Fault("T037", f"`{field}` cannot be `{node.text}`", node, hint)
        raise Fault("T037", f"`{field}` is said in a word", node, offer)

    return convert


def _yes_no(text: str, words: tuple[str, ...]) -> str | None:
    meant = {"true": "yes", "on": "yes", "false": "no", "off": "no", "none": "no"}.get(text.lower())
    return f"write `{meant}`" if meant in words else None


def flag(field: str) -> Callable[[Expr, Scope], bool]:
    """`yes` or `no`."""
    convert = word(field)
    return lambda node, scope: convert(node, scope) == "yes"


def metric(node: Expr, scope: Scope) -> str | Several:
    """`metric`: a score, or several that come back together."""
    if not (isinstance(node, Call) and node.name.text == "several"):
        return word("metric")(node, scope)
    names = tuple(word("metric")(each, scope) for each in node.arguments)
    if len(names) < 2:
        raise Fault("T044", "`several` takes two metrics or more", node, "write `several(accuracy, f1)`, or one metric")
    for place, name in enumerate(names):
        if name in names[:place]:
            raise Fault("T037", f"`{name}` stands here twice", node.arguments[place], "name each score once")
    return Several(names)


def scorer(node: Expr, scope: Scope) -> Scorer | None:
    """`scorer`."""
    name = node.name if isinstance(node, Call) else node
    if not isinstance(name, Name):
        hint = "presets stand without quotes: `scorer = kaggle`" if isinstance(node, Text) else None
        raise Fault("T034", "expected the name of a scorer", node, hint or f"there are {', '.join(PRESETS)}")
    if name.text == "none" and name is node:
        return None
    if name.text not in PRESETS:
        hint = nearest(name.text, [*PRESETS, "none"]) or f"there are {', '.join(PRESETS)}"
        raise Fault("T034", f"unknown scorer `{name.text}`", name, hint)
    return Scorer(name.text, version(node) if isinstance(node, Call) else None)


def platform(node: Expr, scope: Scope) -> str | None:
    """`platform`."""
    held = word("platform")(node, scope)
    return None if held == "none" else held


def version(node: Call) -> str:
    """The version in `sklearn("1.5")`."""
    name = node.name.text
    preset = PRESETS[name]
    if not preset.versioned:
        raise Fault("T029", f"`{name}` has no versions", node, f"write `scorer = {name}`")
    text = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(text, Text):
        hint = f'a version stands between quotes: `{name}("1.5")`'
        raise Fault("T029", f"`{name}` takes one version", node, hint)
    known = f"known are {', '.join(each.versions for each in preset.releases)}"
    numbers = parse_version(text.text)
    if numbers is None or preset.release(numbers) is None:
        raise Fault("T029", f'unknown version "{text.text}" of {name}', text, known)
    return text.text


def parse_version(text: str) -> tuple[int, int] | None:
    """(1, 5) for "1.5", "1.5.2" and their like."""
    parts = text.split(".")
    if len(text) > 20 or not 2 <= len(parts) <= 4 or not all(part.isascii() and part.isdigit() for part in parts[:2]):
        return None
    return int(parts[0]), int(parts[1])


CONVERT: Final[dict[str, Callable[[Expr, Scope], Any]]] = {
    "N": labels,
    "K": classes,
    "guess": guess,
    "positives": positives,
    "public": public,
    "find": word("find"),
    "metric": metric,
    "predictions": word("predictions"),
    "abstain": flag("abstain"),
    "reduction": word("reduction"),
    "phi": precision,
    "score_phi": score_precision,
    "noise": laws.noise,
    "response": response,
    "release": releases.release,
    "decimals": shown,
    "clip": clip,
    "columns": columns,
    "scorer": scorer,
    "platform": platform,
    "summation": lambda node, scope: Summation(word("summation")(node, scope)),
    "renormalises": flag("renormalises"),
    "checks": flag("checks"),
    "queries": queries,
    "accounts": lambda node, scope: whole(node, scope, "T066", "accounts", 1, MOST_LABELS),
    "time": lambda node, scope: Time(word("time")(node, scope)),
    "adaptive": flag("adaptive"),
    "goal": goal,
    "confidence": confidence,
}


def numeric(field: str, value: Any) -> Value | None:
    """A field's value as a number, for the expressions that refer to it; None if it is none."""
    if isinstance(value, Decimals):
        return value.digits
    if isinstance(value, FixedPoint):
        return value.integer_bits + value.fraction_bits + 1
    if isinstance(value, Real):
        return _tight(value)
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return value
    return None

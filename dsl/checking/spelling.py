"""Syntax trees and values back to text, in the one canonical spelling."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from dsl.checking.fields import NAMES
from dsl.numbers import Real
from dsl.reading.syntax import Binary, Call, Exact, Expr, Name, Negative, Percent, Range, Text
from dsl.scenario import (
    Arbitrary,
    BestOnly,
    Between,
    Bounded,
    CappedAt,
    ChangesOnly,
    Decimals,
    FixedPoint,
    Gaussian,
    Ieee,
    LadderOf,
    Laplace,
    Multiplicative,
    NoNoise,
    Percentage,
    Plain,
    Scorer,
    Several,
    Significant,
    Skewed,
    Subexponential,
    Truncated,
    Uniform,
)

PRECEDENCE: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}
NOTHING: Final = {"guess": "none", "positives": "unknown", "public": "all", "score_phi": "phi", "decimals": "full",
                  "clip": "none", "response": "none", "scorer": "none", "platform": "none",
                  "queries": "unlimited"}  # fmt: skip
UNARY, POSTFIX, ATOM = 3, 5, 6


def expression(node: Expr) -> str:
    """An expression, with no parentheses but those it needs."""
    return _spell(node)[0]


def _spell(node: Expr) -> tuple[str, int]:
    """The text of an expression and how tightly it binds."""
    if isinstance(node, Binary):
        return _binary(node)
    if isinstance(node, Negative):
        return f"-{_wrapped(node.operand, UNARY)}", UNARY
    if isinstance(node, Percent):
        return f"{_wrapped(node.operand, POSTFIX)}%", POSTFIX
    if isinstance(node, Call):
        return f"{node.name.text}({', '.join(map(expression, node.arguments))})", ATOM
    if isinstance(node, Range):
        return _range(node), 0
    if isinstance(node, Exact):
        text = rational(node.value)
        return text, ATOM if text.isdigit() else 0
    if isinstance(node, Text):
        return quoted(node.text), ATOM
    if isinstance(node, Name):
        return NAMES.get(node.text, node.text), ATOM
    return node.text, ATOM


def _binary(node: Binary) -> tuple[str, int]:
    level = PRECEDENCE[node.operator]
    # `^` groups to the right and takes a sign on its right; the others group to the left.
    left = _wrapped(node.left, POSTFIX if node.operator == "^" else level)
    right = _wrapped(node.right, UNARY if node.operator == "^" else level + 1)
    gap = " " if level == 1 else ""
    return f"{left}{gap}{node.operator}{gap}{right}", level


def _wrapped(node: Expr, level: int) -> str:
    text, own = _spell(node)
    return text if own >= level else f"({text})"


def _range(node: Range) -> str:
    text = f"{expression(node.first)}..{expression(node.last)}"
    if node.spacing is None or node.amount is None:
        return text
    return f"{text} {node.spacing.text} {expression(node.amount)}"


def quoted(text: str) -> str:
    """A string of the language."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def rational(value: Fraction | int) -> str:
    """An exact number: an integer, a short decimal, a power of ten, or a quotient."""
    exact = Fraction(value)
    if exact < 0:
        return f"-{rational(-exact)}"
    if exact.denominator == 1:
        return _integer(exact.numerator)
    return _decimal(exact) or f"{_integer(exact.numerator)}/{_integer(exact.denominator)}"


def _integer(value: int) -> str:
    if value < 10**4:
        return str(value)
    if value >= 10**15:
        digits = str(value)
        mantissa = digits.rstrip("0")
        if len(mantissa) <= 3:
            return f"{mantissa}e{len(digits) - len(mantissa)}"
        if value & (value - 1) == 0:
            return f"2^{value.bit_length() - 1}"
    return f"{value:_}"


def _decimal(value: Fraction) -> str | None:
    """A terminating decimal of few digits, plain or with an exponent."""
    if value.denominator & (value.denominator - 1) == 0 and value.numerator == 1 and value.denominator > 2**10:
        return f"2^-{value.denominator.bit_length() - 1}"
    rest, places = value.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest, count = rest // prime, count + 1
        places = max(places, count)
    digits = str(value.numerator * 10**places // value.denominator)
    if rest != 1 or len(digits) > 17:
        return None
    if places - len(digits) >= 3:
        point = "." if len(digits) > 1 else ""
        return f"{digits[0]}{point}{digits[1:]}e-{places - len(digits) + 1}"
    padded = digits.rjust(places + 1, "0")
    return f"{padded[:-places]}.{padded[-places:]}"


def real(value: Real) -> str:
    """A Real: exactly, or as the enclosure that it is."""
    if value.exact:
        return rational(value.lo)
    return f"between({_dyadic(value.lo)}, {_dyadic(value.hi)})"


def _dyadic(value: Fraction) -> str:
    """An end of an enclosure; its denominator is a power of two, which may be a large one."""
    bottom = value.denominator
    if bottom & (bottom - 1) == 0 and bottom > 2**64:
        return f"{value.numerator}/2^{bottom.bit_length() - 1}"
    return f"{value.numerator}/{bottom}" if bottom > 1 else str(value.numerator)


def field_value(field: str, held: Any) -> str:
    """What a field holds, as it would be written."""
    if held is None:
        return NOTHING[field]
    if field == "goal" and held == 1:
        return "all"
    speller = _SPELLERS.get(type(held))
    return speller(held) if speller else str(held)


def share(held: Fraction) -> str:
    """A share of a whole: a percentage where that is short."""
    percent = rational(held * 100)
    return f"{percent}%" if "/" not in percent and "e" not in percent and "^" not in percent else rational(held)


def _scorer(held: Scorer) -> str:
    return held.name if held.version is None else f"{held.name}({quoted(held.version)})"


_SPELLERS: Final[dict[type, Any]] = {
    int: rational,
    bool: lambda held: "yes" if held else "no",
    Fraction: share,
    Real: real,
    Arbitrary: lambda held: "arbitrary",
    Ieee: lambda held: f"float{held.bits}",
    FixedPoint: lambda held: _fixed(held),
    NoNoise: lambda held: "none",
    Bounded: lambda held: f"bounded({real(held.tau)})",
    Uniform: lambda held: f"uniform({real(held.a)}, {real(held.b)})",
    Gaussian: lambda held: f"gaussian({real(held.sigma)})",
    Laplace: lambda held: f"laplace({real(held.b)})",
    Subexponential: lambda held: f"subexponential({real(held.lambda2)}, {real(held.nu)})",
    Multiplicative: lambda held: f"multiplicative({real(held.alpha)})",
    Skewed: lambda held: f"multiplicative({real(held.alpha)}, {real(held.above)})",
    Plain: lambda held: "plain",
    BestOnly: lambda held: "best",
    LadderOf: lambda held: _ladder(held),
    CappedAt: lambda held: f"capped({real(held.level)})",
    ChangesOnly: lambda held: f"changes({rational(held.most)})",
    Decimals: lambda held: str(held.digits),
    Percentage: lambda held: f"percent({held.digits - 2})",
    Truncated: lambda held: f"truncated({held.digits})",
    Significant: lambda held: f"significant({held.digits})",
    Scorer: _scorer,
    Several: lambda held: f"several({', '.join(held.metrics)})",
    Between: lambda held: f"between({held.low}, {held.high})",
}


def _ladder(held: LadderOf) -> str:
    start = "" if held.start is None else f", {real(held.start)}"
    return f"ladder({real(held.eta)}{start})"


def _fixed(held: FixedPoint) -> str:
    bits = held.integer_bits + held.fraction_bits + 1
    paper = bits >= 3 and held.fraction_bits == (bits - 1) // 2
    return str(bits) if paper else f"fixed({held.integer_bits}, {held.fraction_bits})"

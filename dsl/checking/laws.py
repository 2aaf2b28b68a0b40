"""The laws of noise: `bounded(τ)` and its like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from dsl.checking.evaluate import Scope, real
from dsl.checking.faults import Fault
from dsl.checking.fields import NOISE_CALLS
from dsl.numbers import Real
from dsl.reading.suggest import nearest
from dsl.reading.syntax import Call, Expr, Name
from dsl.scenario import (
    Bounded,
    Gaussian,
    Laplace,
    Multiplicative,
    Noise,
    NoNoise,
    Skewed,
    Subexponential,
    Uniform,
)


def arity(node: Call, count: int, usage: str) -> None:
    """Refuse a call with another number of arguments."""
    if len(node.arguments) != count:
        name, plural = node.name.text, "" if count == 1 else "s"
        message = f"`{name}` takes {count} argument{plural}, not {len(node.arguments)}"
        raise Fault("T044", message, node, f"write `{usage}`")


def noise(node: Expr, scope: Scope) -> Noise:
    """`noise`."""
    if isinstance(node, Name) and node.text == "none":
        return NoNoise()
    name = node.name if isinstance(node, Call) else node
    if not isinstance(name, Name):
        raise Fault("T027", "noise needs a kind", node, "for example `gaussian(0.01)`, `bounded(1e-3)`, or `none`")
    if name.text not in LAWS:
        offer = f"there are none, {', '.join(LAWS)}"
        raise Fault("T027", f"unknown noise `{name.text}`", name, nearest(name.text, [*LAWS, "none"]) or offer)
    law = LAWS[name.text]
    if isinstance(node, Call) and name.text == "multiplicative" and len(node.arguments) == 2:
        return _skewed(node, scope)
    if not isinstance(node, Call):
        raise Fault("T044", f"`{name.text}` needs its parameters", node, f"write `{law.usage}`")
    arity(node, law.parameters, law.usage)
    values = [real(argument, scope) for argument in node.arguments]
    law.check(node, values)
    return law.make(*values)


def _at_least_zero(node: Call, values: list[Real]) -> None:
    if values[0].lo < 0:
        raise Fault("T045", "a noise bound cannot be negative", node.arguments[0])


def _positive(node: Call, values: list[Real]) -> None:
    for argument, value in zip(node.arguments, values, strict=True):
        if value.lo <= 0:
            hint = "for no noise write `noise = none`" if value.hi >= 0 else None
            raise Fault("T045", f"the parameter of `{node.name.text}` must be above 0", argument, hint)


def _ordered(node: Call, values: list[Real]) -> None:
    if values[0].hi >= values[1].lo:
        raise Fault("T045", "uniform noise needs a < b", node, "write the lower end first")


def _below_one(node: Call, values: list[Real]) -> None:
    for argument, value in zip(node.arguments, values, strict=True):
        if value.lo < 0:
            raise Fault("T045", "a noise bound cannot be negative", argument)
        if value.hi >= 1:
            hint = "at 1 a score may be reported as 0 whatever it is"
            raise Fault("T045", "alpha must be below 1", argument, hint)


def _skewed(node: Call, scope: Scope) -> Noise:
    """`multiplicative(a, b)`: down by a part of at most a, up by one of at most b."""
    values = [real(argument, scope) for argument in node.arguments]
    _below_one(node, values)
    below, above = values
    return Multiplicative(below) if below == above else Skewed(below, above)


class Law(NamedTuple):
    """One law: what it makes of its parameters, and which it refuses."""

    usage: str
    make: Callable[..., Noise]
    check: Callable[[Call, list[Real]], None]

    @property
    def parameters(self) -> int:
        """How many parameters it takes."""
        return self.usage.count(",") + 1


_MAKERS: Final[dict[str, tuple[Callable[..., Noise], Callable[[Call, list[Real]], None]]]] = {
    "bounded": (Bounded, _at_least_zero),
    "uniform": (Uniform, _ordered),
    "gaussian": (Gaussian, _positive),
    "laplace": (Laplace, _positive),
    "subexponential": (Subexponential, _positive),
    "multiplicative": (Multiplicative, _below_one),
}

LAWS: Final[dict[str, Law]] = {
    usage.partition("(")[0]: Law(usage, *_MAKERS[usage.partition("(")[0]]) for usage in NOISE_CALLS
}

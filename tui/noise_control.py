"""The noise field as two controls: its law, and the scale of that law in decades."""

from __future__ import annotations

from fractions import Fraction

from dsl.checking.spelling import field_value, rational
from dsl.numbers import Real
from dsl.scenario import (
    Bounded,
    Gaussian,
    Laplace,
    Multiplicative,
    Noise,
    NoNoise,
    Scenario,
    Subexponential,
    Uniform,
)
from tui.numbers import decades, neighbour

LAWS = ("none", "bounded", "uniform", "gaussian", "laplace", "subexponential", "multiplicative")
FIRST_LEVEL = Fraction(1, 10**5)
LEVELS = decades(-18, 3)
SHARES = decades(-12, -1)  # a multiplicative error stays below one


def law(noise: Noise) -> str:
    """The law's name in the language."""
    if isinstance(noise, Multiplicative):
        return "multiplicative"
    return "none" if isinstance(noise, NoNoise) else type(noise).__name__.lower()


def level(noise: Noise) -> Fraction | None:
    """The law's scale: the parameter that the decades step."""
    match noise:
        case Bounded(tau=scale) | Gaussian(sigma=scale) | Laplace(b=scale) | Multiplicative(alpha=scale):
            return scale.lo
        case Uniform(b=scale):
            return abs(scale.lo)
        case Subexponential(nu=scale):
            return scale.lo
    return None


def written(name: str, scale: Fraction) -> str:
    """The noise of that law and scale, in the language."""
    text = rational(scale)
    if name == "none":
        return "none"
    if name == "uniform":
        return f"uniform(-{text}, {text})"
    if name == "subexponential":
        return f"subexponential({rational(scale**2)}, {text})"
    return f"{name}({text})"


def level_text(noise: Noise) -> str:
    """The parameters alone."""
    return field_value("noise", noise).partition("(")[2].removesuffix(")") or "–"


def step_law(scenario: Scenario, direction: int) -> str | None:
    """The next law, at the scale of the present one."""
    at = LAWS.index(law(scenario.noise)) + direction
    if not 0 <= at < len(LAWS):
        return None
    scale = level(scenario.noise) or FIRST_LEVEL
    if LAWS[at] == "multiplicative":
        scale = min(scale, SHARES[-1])
    return written(LAWS[at], scale)


def step_level(scenario: Scenario, direction: int) -> str | None:
    """The same law a decade on; from no noise upwards, the smallest bounded noise of interest."""
    noise = scenario.noise
    scale = level(noise)
    if scale is None:
        return written("bounded", FIRST_LEVEL) if direction > 0 else None
    rung = neighbour(SHARES if isinstance(noise, Multiplicative) else LEVELS, scale, direction)
    return None if rung is None else _scaled(noise, rung / scale) if scale else written(law(noise), rung)


def _scaled(noise: Noise, factor: Fraction) -> str:
    match noise:
        case Uniform(a=low, b=high):
            return field_value("noise", Uniform(_times(low, factor), _times(high, factor)))
        case Subexponential(lambda2=variance, nu=scale):
            scaled = Subexponential(_times(variance, factor**2), _times(scale, factor))
            return field_value("noise", scaled)
    return written(law(noise), (level(noise) or Fraction(0)) * factor)


def _times(value: Real, factor: Fraction) -> Real:
    return Real(value.lo * factor, value.hi * factor)

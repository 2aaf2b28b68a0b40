"""The scenario's fields as controls: how each is shown, and what one step up or down writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from dsl.scenario import Decimals, Scenario, Significant, Time
from dsl.spelling import field_value, rational, share
from tui import noise_control as noise
from tui.numbers import decades, neighbour, one_two_five, shown_real

Show = Callable[[Scenario], str]
Step = Callable[[Scenario, int], str | None]

MOST_DECIMALS = 16
MOST_CLASSES = 1000
CLIPS = decades(-18, -1)
FIXED = (8, 16, 24, 32, 48, 64, 96, 128, 256)  # the paper's FPA(phi)
PRECISIONS = (*map(str, FIXED), "float16", "float32", "float64", "arbitrary")
GOALS = [Fraction(part, 1000) for part in (500, 750, 900, 950, 990, 999, 1000)]
CONFIDENCES = [Fraction(part, 10**4) for part in (5000, 8000, 9000, 9500, 9900, 9990, 9999)]


@dataclass(frozen=True, slots=True)
class Field:
    """One control: the name it carries, the field of the language that it writes, and how."""

    name: str
    target: str
    hint: str
    show: Show
    step: Step
    operator: str = "="

    def typed(self, scenario: Scenario, value: str) -> str:
        """What a value typed for this control writes."""
        if self.name != "level" or "(" in value:
            return value
        name = noise.law(scenario.noise)
        return f"{'bounded' if name == 'none' else name}({value})"


def _step_labels(scenario: Scenario, direction: int) -> str | None:
    rung = neighbour(one_two_five(), scenario.N, direction)
    return None if rung is None else rational(rung)


def _step_queries(scenario: Scenario, direction: int) -> str | None:
    if scenario.queries is None:
        largest = neighbour(one_two_five(), scenario.N, 1) if direction < 0 else None
        return None if largest is None else rational(largest)
    rung = neighbour(one_two_five(), scenario.queries, direction)
    return rational(rung) if rung is not None else "unlimited" if direction > 0 else None


def _step_classes(scenario: Scenario, direction: int) -> str | None:
    classes = scenario.K + direction
    return str(classes) if 2 <= classes <= MOST_CLASSES else None


def _step_phi(scenario: Scenario, direction: int) -> str | None:
    text = field_value("phi", scenario.phi)
    if text in PRECISIONS:
        at = PRECISIONS.index(text) + direction
        return PRECISIONS[at] if 0 <= at < len(PRECISIONS) else None
    bits = int(text) if text.isdigit() else 64
    rung = neighbour(FIXED, bits, direction)
    return None if rung is None else str(rung)


def _step_shown(scenario: Scenario, direction: int) -> str | None:
    match scenario.shown:
        case Significant(digits=digits):
            return f"significant({digits + direction})" if digits + direction >= 1 else None
        case Decimals(digits=digits) if digits + direction > MOST_DECIMALS:
            return "full"
        case Decimals(digits=digits):
            return str(digits + direction) if digits + direction >= 0 else None
    return str(MOST_DECIMALS) if direction < 0 else None


def _step_clip(scenario: Scenario, direction: int) -> str | None:
    if scenario.clip is None:
        return rational(CLIPS[0]) if direction > 0 else None
    rung = neighbour(CLIPS, scenario.clip.lo, direction)
    return rational(rung) if rung is not None else "none" if direction < 0 else None


def _step_scorer(scenario: Scenario, direction: int) -> str | None:
    from dsl.presets import PRESETS

    names = ["none", *PRESETS]
    at = names.index(scenario.scorer.name if scenario.scorer else "none") + direction
    return names[at] if 0 <= at < len(names) else None


def _step_goal(scenario: Scenario, direction: int) -> str | None:
    rung = neighbour(GOALS, scenario.goal, direction)
    return None if rung is None else field_value("goal", rung)


def _step_confidence(scenario: Scenario, direction: int) -> str | None:
    rung = neighbour(CONFIDENCES, scenario.confidence, direction)
    return None if rung is None else share(rung)


def _clip_text(scenario: Scenario) -> str:
    return "none" if scenario.clip is None else shown_real(scenario.clip)


def _step_time(scenario: Scenario, direction: int) -> str | None:
    wanted = Time.EXPONENTIAL if direction > 0 else Time.POLYNOMIAL
    return None if scenario.time is wanted else wanted.value


def _step_adaptive(scenario: Scenario, direction: int) -> str | None:
    wanted = direction > 0
    return None if scenario.adaptive is wanted else "yes" if wanted else "no"


def _written(field: str, attribute: str) -> Show:
    """The value as the language would write it."""
    return lambda scenario: field_value(field, getattr(scenario, attribute))


def _field(name: str, hint: str, step: Step, attribute: str = "", operator: str = "=") -> Field:
    return Field(name, name, hint, _written(name, attribute or name), step, operator)


FIELDS: tuple[Field, ...] = (
    _field("N", "hidden labels", _step_labels),
    _field("K", "classes", _step_classes),
    _field("phi", "precision of the scorer's arithmetic", _step_phi),
    Field("noise", "noise", "law of the noise on a score", lambda s: noise.law(s.noise), noise.step_law),
    Field("level", "noise", "scale of the noise", lambda s: noise.level_text(s.noise), noise.step_level),
    _field("decimals", "digits shown after the point", _step_shown, "shown"),
    Field("clip", "clip", "probabilities stay within [clip, 1-clip]", _clip_text, _step_clip),
    _field("scorer", "a real scorer's settings", _step_scorer),
    _field("queries", "submissions the attacker has", _step_queries, operator="<="),
    _field("time", "computing the attacker has", _step_time),
    _field("adaptive", "may a query depend on earlier scores", _step_adaptive),
    _field("goal", "labels that must be recovered", _step_goal),
    _field("confidence", "chance of success under random noise", _step_confidence),
)
BY_NAME = {field.name: field for field in FIELDS}

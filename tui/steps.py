"""What each control shows, and what one step up or down writes: in the language's own spelling."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from dsl.checking.spelling import field_value, rational, share
from dsl.scenario import Decimals, Percentage, Scenario, Significant, Time, Truncated, scored_rows
from tui import noise_control as noise
from tui.numbers import decades, neighbour, one_two_five

MOST_DECIMALS = 16
MOST_CLASSES = 1000
CLIPS = decades(-18, -1)
FIXED = (8, 16, 24, 32, 48, 64, 96, 128, 256)  # the paper's FPA(phi)
PRECISIONS = (*map(str, FIXED), "float16", "float32", "float64", "arbitrary")
GOALS = [Fraction(part, 1000) for part in (500, 750, 900, 950, 990, 999, 1000)]
PARTS = [Fraction(part, 100) for part in (1, 5, 10, 20, 30, 50, 75, 90)]
GUESSES = [Fraction(part, 1000) for part in (600, 750, 900, 950, 980, 990, 995, 999)]
CONFIDENCES = [Fraction(part, 10**4) for part in (5000, 8000, 9000, 9500, 9900, 9990, 9999)]


def shown(name: str, scenario: Scenario) -> str:
    """The value of a control."""
    match name:
        case "noise":
            return noise.law(scenario.noise)
        case "level":
            return noise.level_text(scenario.noise)
        case "clip":
            if scenario.clip and not scenario.clip.exact:  # an enclosure: shown near its value
                return f"{float(scenario.clip.lo):.4g}"
    return field_value(name, scenario.shown if name == "decimals" else getattr(scenario, name))


def stepped(name: str, scenario: Scenario, direction: int) -> str | None:
    """What the neighbouring value in a direction is written as; None past the end."""
    return STEPS[name](scenario, direction)


def typed(name: str, scenario: Scenario, value: str) -> str:
    """What a value typed into a control is written as: the level keeps its law."""
    if name != "level" or "(" in value:
        return value
    law = noise.law(scenario.noise)
    return f"{'bounded' if law == 'none' else law}({value})"


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


def _step_guess(scenario: Scenario, direction: int) -> str | None:
    if scenario.guess is None:
        return share(GUESSES[0]) if direction > 0 else None
    rung = neighbour(GUESSES, scenario.guess, direction)
    return share(rung) if rung is not None else "none" if direction < 0 else None


def _step_public(scenario: Scenario, direction: int) -> str | None:
    if not scenario.split:
        return share(PARTS[-1]) if direction < 0 else None
    now = scenario.scored[1]
    for part in PARTS if direction > 0 else reversed(PARTS):  # small boards: the next part of as many rows is no step
        rows = scored_rows(scenario.N, part)[1]
        if rows >= 1 and (rows > now if direction > 0 else rows < now):
            return share(part)
    return "all" if direction > 0 else None


def _step_metric(scenario: Scenario, direction: int) -> str | None:
    from dsl.checking.metrics import METRICS

    clipped = scenario.clip is not None and scenario.scorer is None
    fit = [each.name for each in METRICS if each.clips or (scenario.K == 2 and not clipped)]
    if scenario.metric not in fit:  # several at once are written by hand
        return None
    at = fit.index(scenario.metrics[0]) + direction
    return fit[at] if 0 <= at < len(fit) else None


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
        case Percentage(digits=digits):
            return f"percent({digits - 2 + direction})" if 2 <= digits + direction <= MOST_DECIMALS else None
        case Truncated(digits=digits):
            return f"truncated({digits + direction})" if 0 <= digits + direction <= MOST_DECIMALS else None
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
    from dsl.checking.presets import PRESETS

    names = ["none", *PRESETS]
    at = names.index(scenario.scorer.name if scenario.scorer else "none") + direction
    return names[at] if 0 <= at < len(names) else None


def _step_goal(scenario: Scenario, direction: int) -> str | None:
    rung = neighbour(GOALS, scenario.goal, direction)
    return None if rung is None else field_value("goal", rung)


def _step_confidence(scenario: Scenario, direction: int) -> str | None:
    rung = neighbour(CONFIDENCES, scenario.confidence, direction)
    return None if rung is None else share(rung)


def _step_time(scenario: Scenario, direction: int) -> str | None:
    wanted = Time.EXPONENTIAL if direction > 0 else Time.POLYNOMIAL
    return None if scenario.time is wanted else wanted.value


def _step_adaptive(scenario: Scenario, direction: int) -> str | None:
    wanted = direction > 0
    return None if scenario.adaptive is wanted else "yes" if wanted else "no"


STEPS: dict[str, Callable[[Scenario, int], str | None]] = {
    "N": _step_labels,
    "K": _step_classes,
    "guess": _step_guess,
    "public": _step_public,
    "metric": _step_metric,
    "phi": _step_phi,
    "noise": noise.step_law,
    "level": noise.step_level,
    "decimals": _step_shown,
    "clip": _step_clip,
    "scorer": _step_scorer,
    "queries": _step_queries,
    "time": _step_time,
    "adaptive": _step_adaptive,
    "goal": _step_goal,
    "confidence": _step_confidence,
}

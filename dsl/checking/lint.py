"""Warnings: what is legal, but surely meant otherwise. Only a scenario's own lines are warned about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil
from typing import Final

from dsl.checking.faults import Fault
from dsl.checking.inheritance import Definition, Report
from dsl.checking.platforms import PLATFORMS
from dsl.checking.presets import PRESETS
from dsl.checking.spelling import expression
from dsl.reading.syntax import ExpectStatement, Expr, Number
from dsl.scenario import (
    Bounded,
    Decimals,
    ExpectMeasure,
    FixedPoint,
    Gaussian,
    Ieee,
    Laplace,
    Multiplicative,
    Scenario,
    Subexponential,
    Truncated,
    Uniform,
)

RANDOM: Final = (Uniform, Gaussian, Laplace, Subexponential)
DIGITS: Final = {16: 5, 32: 9, 64: 17}  # significant, after which a format has no more to show


GUESSING: Final = {"N", "K", "public", "guess", "positives"}  # what decides how many labels are right without a score


def lint(scenario: Scenario, definition: Definition, report: Report) -> None:
    """Report what in a scenario is surely meant otherwise."""
    own = {name: each.value for name, each in definition.fields.items() if name not in definition.owners}
    for field, advise in ADVICE.items():
        if field in own and (found := advise(scenario)):
            report(Fault(found[0], found[1], own[field], found[2]))
    _one_column(scenario, own, report)
    if "platform" in own and "queries" not in (*definition.fields, *definition.sweeps):
        _budget(scenario, own["platform"], report)
    if definition.expectations:
        _expectations(definition, report)
        _below_guessing(scenario, definition, report)
    if scenario.sweeps:
        _sweeps(scenario, definition, report)


def _budget(scenario: Scenario, place: Expr, report: Report) -> None:
    """A platform, and no word about how many submissions it allows."""
    if scenario.platform is not None:
        known = PLATFORMS[scenario.platform]
        hint = f"{known.allowed}: write `queries <= {known.budget}`, or what yours allows"
        report(Fault("T118", f"submissions are not limited: `{known.name}` sets no budget", place, hint))


Advice = tuple[str, str, str] | None


def _noise(scenario: Scenario) -> Advice:
    noise = scenario.noise
    zero = isinstance(noise, Bounded) and noise.tau.hi == 0
    if zero or (type(noise) is Multiplicative and noise.alpha.hi == 0):
        return "T101", "this noise changes nothing", "write `noise = none`"
    if isinstance(noise, Uniform) and (noise.a.lo > 0 or noise.b.hi < 0):
        return (
            "T102",
            "this noise never averages to zero",
            "its ends have the same sign; did you mean `-a, a`?",
        )
    return None


def _decimals(scenario: Scenario) -> Advice:
    score = scenario.score_format
    if isinstance(scenario.shown, Decimals | Truncated) and isinstance(score, Ieee):
        most = DIGITS[score.bits]
        if scenario.shown.digits > most:
            reason = f"float{score.bits} has at most {most} significant digits"
            return "T103", f"{scenario.shown.digits} decimals show no more than all of them", reason
    return None


def _queries(scenario: Scenario) -> Advice:
    if scenario.queries == 0:
        return "T104", "the budget is no query at all", "`queries <= unlimited` sets no limit"
    return None


def _confidence(scenario: Scenario) -> Advice:
    if scenario.confidence < Fraction(1, 2):
        meant = "confidence is 1 - δ, the probability of success"
        return "T105", "the attack may fail more often than not", meant
    if not isinstance(scenario.noise, RANDOM) and not _coins(scenario) and not scenario.sweeps:
        hint = "it matters under random noise, and where rounded scores are asked one after another"
        return "T106", "confidence has no effect here", hint
    return None


def _coins(scenario: Scenario) -> bool:
    """Whether an attacker's own coins may decide how many queries it takes: adaptive queries to rounded scores."""
    return scenario.adaptive and scenario.shown is not None


def _goal(scenario: Scenario) -> Advice:
    if _met(scenario):
        return "T117", "the guess alone meets this goal", "no query is needed: ask for more"
    if scenario.goal <= Fraction(1, scenario.K):
        return "T107", "guessing one class for all can reach this goal", f"with K = {scenario.K} ask for more"
    return None


def _met(scenario: Scenario) -> bool:
    """Whether as many labels may come out wrong as the attacker's guess has wrong."""
    allowed = scenario.N - ceil(scenario.goal * scenario.N)
    return scenario.mistakes is not None and scenario.mistakes <= allowed


def _public(scenario: Scenario) -> Advice:
    if scenario.scored == (1, 1) and scenario.N > 1:
        return "T119", "a single row is scored", "all rows are `public = all`, a share is `public = 30%`"
    return None


def _guess(scenario: Scenario) -> Advice:
    if scenario.goal == 1 and _met(scenario):
        return "T117", "nothing is left to find out", "all labels are known beforehand"
    if scenario.guess is not None and scenario.guess <= Fraction(1, scenario.K):
        return "T116", "so many labels are right whoever guesses", f"a guess is right on more than 1 in {scenario.K}"
    return None


def _clip(scenario: Scenario) -> Advice:
    if scenario.clip is not None and scenario.clip.lo >= Fraction(1, 20):
        return "T108", "so large a clip leaves predictions hardly any room", "usual are 1e-15 to 1e-3"
    return None


def _classes(scenario: Scenario) -> Advice:
    if scenario.K > scenario.N and not scenario.sweeps:
        return "T109", "there are more classes than labels", "N counts labels, K classes"
    return None


def _phi(scenario: Scenario) -> Advice:
    if scenario.scorer is not None and not isinstance(scenario.phi, Ieee):
        kind = "fixed point" if isinstance(scenario.phi, FixedPoint) else "exact arithmetic"
        return "T110", f"`{scenario.scorer.name}` does not compute in {kind}", "leave `phi` to the scorer"
    return None


def _renormalises(scenario: Scenario) -> Advice:
    if scenario.renormalises and scenario.columns == 1:
        return "T111", "a row of one column has no sum to divide by", "it matters with K columns"
    return None


ADVICE: Final[dict[str, Callable[[Scenario], Advice]]] = {
    "noise": _noise,
    "decimals": _decimals,
    "queries": _queries,
    "confidence": _confidence,
    "goal": _goal,
    "public": _public,
    "guess": _guess,
    "positives": _guess,
    "clip": _clip,
    "K": _classes,
    "phi": _phi,
    "renormalises": _renormalises,
}


def _one_column(scenario: Scenario, own: Mapping[str, Expr], report: Report) -> None:
    """A scorer of one column in a scenario of more; told once, at the line that says so."""
    scorer = scenario.scorer
    place = next((own[field] for field in ("scorer", "columns", "K") if field in own), None)
    if scorer is None or place is None or scenario.columns == 1 or not PRESETS[scorer.name].one_column:
        return
    what = f"knows two classes, not {scenario.K}" if scenario.K > 2 else f"takes one column, not {scenario.columns}"
    hint = "choose another scorer, or leave it out and set `clip` and the rest yourself"
    report(Fault("T115", f"`{scorer.name}` {what}", place, hint))


def _expectations(definition: Definition, report: Report) -> None:
    for measure in ("exposure", "ceiling"):
        for each in definition.expectations.get(measure, []):
            if _small(each):
                message = f"{measure} counts labels, and this is less than one"
                report(Fault("T113", message, each.value or each, "a share of the labels is written `50%`"))


def _below_guessing(scenario: Scenario, definition: Definition, report: Report) -> None:
    """A ceiling that is expected below what is right without any score: seventy where 70% were meant, say."""
    if any(sweep.field in GUESSING for sweep in scenario.sweeps):
        return
    scored = scenario.scored[1]
    right = -(-scored // scenario.K) if scenario.mistakes is None else scored - scenario.mistakes
    bounds = [one for one in scenario.expectations if isinstance(one, ExpectMeasure) and one.measure == "ceiling"]
    for each, one in zip(definition.expectations.get("ceiling", []), bounds, strict=True):
        if one.comparison in ("<", "<=") and one.value.hi < right:
            text = expression(each.value or each.name)
            share = text.isdigit() and int(text) <= 100
            asked = f"a share is written `{text}%`" if share else "no setting has a lower ceiling"
            message = f"whoever guesses gets {right:,} of the {scored:,} labels right"
            report(Fault("T121", message, each.value or each, asked))


def _small(statement: ExpectStatement) -> bool:
    node = statement.value
    return isinstance(node, Number) and "." in node.text and float(node.text.replace("_", "")) < 1


def _sweeps(scenario: Scenario, definition: Definition, report: Report) -> None:
    for sweep in scenario.sweeps:
        statement = definition.sweeps[sweep.field]
        if sweep.size == 1 and ".." in sweep.text:
            hint = "the step is 1 unless you say `a..b step s` or `a..b log n`"
            report(Fault("T112", "this range has a single point", statement.values[0], hint))
        seen: set[str] = set()
        for value in statement.values:
            text = expression(value)
            if text in seen:
                report(Fault("T114", f"`{text}` stands twice in this sweep", value, "each value is one point"))
            seen.add(text)

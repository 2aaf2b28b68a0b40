"""What a deployed board tells at most, and the scenario that says so. Only this loads the planner."""

from __future__ import annotations

from fractions import Fraction
from math import log, nextafter
from typing import TYPE_CHECKING

from planner.channel.releases import Each, Falling

if TYPE_CHECKING:
    from threatplan.scoregate.gate import ScoreGate

LARGEST = {"brier": Fraction(1), "error_rate": Fraction(1)}


def released_bits(gate: ScoreGate, teams: int, scored: int) -> float | None:
    """log2 of the transcripts of all teams: each has a memory of its own, and whoever has several chooses which one asks.

    What falls are the states of all of them together, through as many levels as they have in all.
    """
    if not scored:
        return 0.0
    unit = None if gate.chain.decimals is None else Fraction(1, 10**gate.chain.decimals)
    found = gate.chain.release.transcripts(unit, largest_score(gate))
    if found is None and gate.chain.release.of_shown and unit is not None:
        found = Each(int(largest_score(gate) / unit) + 2)
    if isinstance(found, Falling):
        found = found.together(teams)
    return None if found is None else found.bits(scored)


def largest_score(gate: ScoreGate) -> Fraction:
    """No score of this gate exceeds it: -ln of the clip, divided by the sum of a clipped row, and what floats add."""
    top = LARGEST.get(gate.metric.name)
    return top if top is not None else Fraction(nextafter(log(gate.classes) - log(gate.clip), 1e9)) + Fraction(1, 10**6)


def labels_right(gate: ScoreGate, bits: float | None) -> float:
    """The share of labels right on average at most, for whoever knew nothing before."""
    from dsl.scenario import Scenario
    from planner.ceiling import share_under
    from planner.channel.channel import channel_of

    channel = channel_of(Scenario("board", gate.rows, gate.classes, columns=1 if gate.classes == 2 else gate.classes))
    return 1.0 if bits is None else share_under(channel, Fraction(bits))


def scenario_text(gate: ScoreGate, name: str) -> str:
    """The board in the language; what that has no word for stands in a comment."""
    if not name.isidentifier():
        raise ValueError("the name of a scenario is made of letters, digits and underscores")
    if gate.metric.name == "error_rate":
        raise ValueError("the language has no word for error_rate")
    lines = [f"N = {gate.rows}", f"K = {gate.classes}", f"metric = {gate.metric.name}"]
    if gate.metric.clips:
        lines.append(f"clip = {Fraction(str(gate.clip))}")
    if gate.classes > 2:
        lines.append("renormalises = yes")
    lines.append(f"release = {gate.chain.text}")
    if gate.chain.epsilon is not None:
        lines.append(f"response = {Fraction(str(gate.chain.epsilon))}")
    if gate.chain.decimals is not None:
        lines.append(f"decimals = {gate.chain.decimals}")
    lines.append(f"queries <= {'unlimited' if gate.cap is None else gate.cap}")
    notes = ["# one account: with several, multiply `queries`, and each has a memory of its own"]
    body = "\n".join(f"    {one}" for one in (*notes, *lines))
    return f"scenario {name} {{\n{body}\n}}\n"

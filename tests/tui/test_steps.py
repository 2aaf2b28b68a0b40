"""What a step writes: always a value that the language takes, and one step back undoes one step forth."""

from __future__ import annotations

import pytest

from dsl import loads
from dsl.scenario import Scenario
from planner import plan
from tui.fields import FIELDS
from tui.numbers import neighbour, one_two_five
from tui.prose import bounds, memory
from tui.steps import STEPS, shown, stepped

STARTS = [
    "N = 25_000; phi = 64; noise = gaussian(1e-3); decimals = 3; clip = 1e-15; queries <= 300",
    "N = 7; phi = fixed(4, 20); noise = uniform(-1e-3, 2e-3); decimals = significant(4); clip = exp(-100)",
    "N = 3_000_000; K = 5; phi = arbitrary; noise = subexponential(1/4, 2); scorer = keras; goal = 97%",
    "N = 100; noise = multiplicative(1/10); adaptive = no; time = exponential; confidence = 99.99%; phi = float16",
]


def scenario(fields: str) -> Scenario:
    return loads(f"scenario one {{ {fields} }}")[0]


def written(fields: str, target: str, operator: str, value: str) -> str:
    kept = [part for part in fields.split("; ") if part.split()[0] != target]
    return "; ".join([*kept, f"{target} {operator} {value}"])


def test_every_control_steps() -> None:
    assert list(STEPS) == [field.name for field in FIELDS]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
@pytest.mark.parametrize("direction", [-1, 1])
def test_every_step_is_a_value_of_the_language_up_to_the_end_of_the_ladder(
    start: str, field: tuple[str, ...], direction: int
) -> None:
    name, target, _, operator = field
    fields, seen = start, [shown(name, scenario(start))]
    for _ in range(60):
        value = stepped(name, scenario(fields), direction)
        if value is None:
            break
        fields = written(fields, target, operator, value)
        seen.append(shown(name, scenario(fields)))
        assert seen[-1] != seen[-2], seen
    assert len(seen) == len(set(seen)), "a ladder has no loops"
    if len(seen) > 2:
        assert stepped(name, scenario(fields), -direction) is not None, "a step forth has a step back"


def test_ladders() -> None:
    assert one_two_five(1, 100) == [1, 2, 5, 10, 20, 50, 100]
    assert neighbour([1, 2, 5], 3, 1) == 5
    assert neighbour([1, 2, 5], 3, -1) == 2
    assert neighbour([1, 2, 5], 5, 1) is None
    assert neighbour([1, 2, 5], 1, -1) is None


def test_counts_are_written_as_in_reports() -> None:
    """A million million was 1.0e12 here and 1,000,000,000,000 in the text."""
    (scenario,) = loads("scenario a { N = 10^14; scorer = kaggle; queries <= 2*10^12 }")
    report = plan(scenario)
    shown = bounds(report, 120).plain
    assert report.lower_bound.queries > 10**12
    assert f"≥ {report.lower_bound.queries:,} (" in shown
    assert "budget 2,000,000,000,000" in shown
    assert memory(5 * 10**15) == "5,000 TB"

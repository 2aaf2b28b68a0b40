"""Names and signs that look like the language's own."""

from __future__ import annotations

from dataclasses import replace

import pytest

import dsl

NAMES = ["scenario_", "_scenario", "sweep_", "expect_", "__expect__", "_", "__", "_1", "scenario1", "Scenario", "φ_"]


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_written_as_it_is(name: str) -> None:
    (scenario,) = dsl.loads(f"scenario {name} {{ N = 5 }}")
    assert dsl.source(scenario).startswith(f"scenario {name} {{")
    assert dsl.loads(dsl.source(scenario)) == [scenario]
    text = dsl.format_text(f"scenario {name} {{ N = 5 }}")
    assert dsl.loads(text) == [scenario]


@pytest.mark.parametrize("name", ["scenario", "scenario!", "expect[N=1]", "1x", "", "a b", "\x1b[31m"])
def test_a_name_that_the_language_cannot_say_is_given_a_near_word(name: str) -> None:
    """Names may come from Python."""
    (scenario,) = dsl.loads("scenario s { N = 5 }")
    (again,) = dsl.loads(dsl.source(replace(scenario, name=name)))
    assert again.N == 5


@pytest.mark.parametrize("sign", "−–—‐‑")
def test_a_dash_in_an_exponent_is_told_from_a_minus(sign: str) -> None:
    with pytest.raises(dsl.ThreatError) as caught:
        dsl.loads(f"scenario s {{\n    N = 5\n    clip = 1e{sign}5\n}}\n")
    first = caught.value.diagnostics[0]
    assert (first.code, first.message) == ("T014", "`1e` is not a number")
    assert first.span is not None
    assert (first.span.line, first.span.column) == (3, 12)
    assert first.hint == f"`{sign}` is {dsl.visible.called(sign)}: in an exponent use `-`, as in `1e-5`"


def test_a_minus_sign_stays_a_minus_elsewhere() -> None:
    assert dsl.loads("scenario s { N = 10 − 5; clip = 10^−5 }") == dsl.loads("scenario s { N = 10 - 5; clip = 10^-5 }")

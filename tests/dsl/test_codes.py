import re
from pathlib import Path

import pytest

import dsl
from dsl.codes import CODES

DSL = Path(dsl.__file__ or "").parent


def codes(text: str) -> list[str]:
    try:
        return [each.code for each in dsl.check(text).warnings]
    except dsl.ThreatError as error:
        return [each.code for each in error.diagnostics]


@pytest.mark.parametrize("code", [code for code, entry in CODES.items() if entry.example])
def test_the_example_of_a_code_gives_just_that_code(code: str) -> None:
    assert codes(CODES[code].example) == [code]


def test_every_code_that_is_used_is_explained_and_the_other_way_round() -> None:
    sources = (path.read_text(encoding="utf-8") for path in DSL.rglob("*.py") if path.name != "codes.py")
    used = {code for text in sources for code in re.findall(r'"(T\d{3})"', text)}
    assert used - {"T100"} == set(CODES)  # T100 only says where warnings begin


def test_warnings_are_warnings_and_errors_are_errors() -> None:
    for code, entry in CODES.items():
        if code < "T100" and entry.example:
            with pytest.raises(dsl.ThreatError):
                dsl.loads(entry.example)
        elif entry.example:
            assert [each.severity for each in dsl.check(entry.example).warnings] == ["warning"]


def test_confidence_counts_where_an_attacker_tosses_coins() -> None:
    """Against rounded scores the dithered spread takes as many queries as its chance of failure demands."""
    from planner import plan

    body = "N = 400; clip = 1e-15; decimals = 0; confidence = {}"
    sure, likely = (f"scenario s {{ {body.format(share)} }}" for share in ("99.9999%", "60%"))
    queries = [
        next(one.certified.queries for one in plan(dsl.loads(text)[0]).candidates if one.attack == "dither")
        for text in (sure, likely)
    ]
    assert queries[0] > queries[1]
    assert "T106" not in codes(sure)
    assert "T106" in codes(sure.replace("decimals = 0; ", ""))
    assert "T106" in codes(sure.replace("confidence", "adaptive = no; confidence"))

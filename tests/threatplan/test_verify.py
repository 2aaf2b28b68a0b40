"""`plan verify`: what it prints, its exit codes, and reports that are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.threatplan import golden
from tests.threatplan.shell import Shell


@pytest.fixture
def written(shell: Shell) -> dict[str, Any]:
    """A report in `small.json`, and its data."""
    text = shell("small.threat", "shut.threat", "--format", "json").out
    Path("small.json").write_text(text, encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


def test_a_report_is_verified(shell: Shell, written: dict[str, Any]) -> None:
    done = shell("verify", "small.json")
    assert (done.code, done.err) == (0, "")
    golden.check("verify/text.txt", done.out)


def test_standard_input_and_json(shell: Shell, written: dict[str, Any]) -> None:
    done = shell("verify", "-", "--format", "json", stdin=json.dumps(written))
    assert (done.code, done.err) == (0, "")
    golden.check("verify/json.txt", done.out)


def test_a_false_report_is_told_and_fails(shell: Shell, written: dict[str, Any]) -> None:
    entry = written["scenarios"][0]
    entry["verdict"] = "impossible"
    entry["exposure"]["labels"] += 1
    best = next(one for one in entry["candidates"] if one["attack"] == entry["best"]["attack"])
    best["certified"]["promise"]["queries"] -= 1
    done = shell("verify", "-", stdin=json.dumps(written))
    assert (done.code, done.err) == (1, "")
    golden.check("verify/false.txt", done.out)


HOSTILE = {
    "nothing": "",
    "no JSON": "{",
    "no report": "[]",
    "a threat file": "scenario x { N = 3 }",
    "another schema": '{"schema": 1, "scenarios": []}',
    "another document": '{"schema": 2, "points": []}',
    "no list": '{"schema": 2, "scenarios": {}}',
    "no records": '{"schema": 2, "scenarios": [3]}',
    "an empty record": '{"schema": 2, "scenarios": [{"name": "x"}]}',
    "deep": '{"schema": 2, "scenarios": ' + "[" * 100_000,
    "deep records": '{"schema": 2, "scenarios": [' + '{"a":' * 100_000,
    "a long number": '{"schema": 2, "scenarios": [' + "9" * 10_000 + "]}",
    "a large number": '{"schema": 2, "scenarios": [1e999]}',
    "no number": '{"schema": 2, "scenarios": [NaN]}',
}


@pytest.mark.parametrize("what", HOSTILE)
def test_what_is_no_report_is_bad_input(shell: Shell, what: str) -> None:
    done = shell("verify", "-", stdin=HOSTILE[what])
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("plan: error: -: ")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("channel", "exact", "N"), "1" * 5000),
        (("channel", "exact", "N"), -1),
        (("channel", "exact", "N"), True),
        (("channel", "exact", "N"), None),
        (("channel", "exact", "delta"), "1/0"),
        (("channel", "exact", "precision"), {"kind": "fixed", "integer_bits": 1, "fraction_bits": 10**12}),
        (("channel", "exact", "precision"), {"kind": "posit", "bits": 8}),
        (("channel", "exact", "shown"), {"kind": "decimals", "digits": 10**9}),
        (("channel", "exact", "clip"), {"lo": "1/3", "hi": "0x" + "f" * 10**6}),
        (("candidates",), 3),
        (("limits",), [None]),
        (("exposure",), "all"),
    ],
)
def test_hostile_values_are_bounded_before_anything_is_computed(
    shell: Shell, written: dict[str, Any], path: tuple[str, ...], value: Any
) -> None:
    place = written["scenarios"][0]
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    done = shell("verify", "-", stdin=json.dumps(written))
    assert (done.code, done.out) == (2, "")
    assert len(done.err) < 500


def test_a_missing_file_and_bytes_that_are_no_text(shell: Shell) -> None:
    Path("odd.json").write_bytes(b"\xff\xfe")
    done = shell("verify", "nowhere.json", "odd.json")
    assert (done.code, done.out) == (2, "")
    assert "cannot read nowhere.json" in done.err
    assert "odd.json: no report: not UTF-8" in done.err
    assert "`plan FILE --format json` writes a report" in done.err


@pytest.mark.parametrize("format", ["text", "json"])
def test_what_a_report_says_is_shown_and_not_obeyed(shell: Shell, written: dict[str, Any], format: str) -> None:
    forged = "\x1b]0;PWNED\x07\u202e\n::error::x ##[group]"
    written["scenarios"][0] |= {"name": forged, "verdict": forged}
    written["scenarios"][0]["best"]["attack"] = forged
    name = f"{forged}.json".replace("\n", " ")
    Path(name).write_text(json.dumps(written), encoding="utf-8")
    done = shell("verify", name, "--format", format)
    assert done.code == 1
    assert done.out.replace("\n", "").isprintable()
    assert not any(line.lstrip().startswith("::") or "##[" in line for line in done.out.splitlines())

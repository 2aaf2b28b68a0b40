"""Each of these gets an answer, and under 200 MB: one that hung would be ended."""

import io
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import dsl

PATIENCE = 20  # seconds of processor time, many times what any of them takes
PROBE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (200 * 2**20, 200 * 2**20))
resource.setrlimit(resource.RLIMIT_CPU, (int(sys.argv[2]), int(sys.argv[2])))
import dsl
try:
    print(len(dsl.load(sys.argv[1])), "scenarios")
except dsl.ThreatError as error:
    print(error.render())
"""


def answer(path: Path) -> str:
    """What a fresh process says of a file, without much time and memory."""
    root = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, "-c", PROBE, str(path), str(PATIENCE)], cwd=root, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout.strip()


def _inside(value: bytes) -> bytes:
    return b"scenario a {\n    " + value + b"\n}\n"


BAD: dict[str, tuple[str, Callable[[], bytes]]] = {
    "empty": ("T006", lambda: b""),
    "not_text": ("T002", lambda: b"\xff\xfe\x00"),
    "nul": ("T003", lambda: b"scenario a {\0}"),
    "junk_10_MB": ("T004", lambda: b"junk $ { ( \n" * 900_000),
    "junk_7_MB": ("T011", lambda: b"junk $ { ( \n" * 600_000),
    "one_long_word": ("T011", lambda: b"x" * 8_000_000),
    "blanks": ("T006", lambda: b" " * 8_000_000),
    "blank_lines": ("T006", lambda: b"\n" * 8_000_000),
    "quotes": ("T011", lambda: b'"' * 8_000_000),
    "open_quote": ("T013", lambda: b'"' + b"x" * 8_000_000),
    "digits": ("T011", lambda: b"1" * 8_000_000),
    "many_parentheses": ("T005", lambda: _inside(b"N = " + b"(" * 100_000 + b"1" + b")" * 100_000)),
    "many_signs": ("T005", lambda: _inside(b"N = " + b"-" * 100_000 + b"1")),
    "many_terms": ("T005", lambda: _inside(b"N = 1" + b"+1" * 100_000)),
    "many_powers": ("T005", lambda: _inside(b"N = 1" + b"^1" * 100_000)),
    "nested_calls": ("T005", lambda: _inside(b"N = " + b"min(1, " * 1000 + b"1" + b")" * 1000)),
    "long_chains_in_calls": (
        "T005",
        lambda: _inside(b"N = " + b"min(" * 60 + b"1" + (b"+1" * 100 + b", 2)") * 60),
    ),
    "long_number": ("T041", lambda: _inside(b"N = " + b"9" * 1_000_000)),
    "tower": ("T041", lambda: _inside(b"N = 9^9^9^9")),
    "huge_power": ("T041", lambda: _inside(b"N = 10^(10^9)")),
    "tiny": ("T041", lambda: _inside(b"N = 1e-999999999")),
    "huge_exponential": ("T041", lambda: _inside(b"N = exp(10^9)")),
    "huge_power_of_a_root": ("T041", lambda: _inside(b"N = sqrt(2)^(10^12)")),
    "division_by_zero": ("T040", lambda: _inside(b"N = 1/0")),
    "many_commas": ("T005", lambda: _inside(b"sweep N = 1" + b",1" * 4_000_000)),
    "many_commas_after_a_fault": ("T011", lambda: _inside(b"sweep N == " + b"," * 8_000_000)),
    "many_statements": ("T005", lambda: _inside(b"x = 1\n" * 1_300_000)),
    "many_semicolons": ("T005", lambda: _inside(b";" * 8_000_000)),
    "many_unknown_fields": ("T012", lambda: _inside(b"x = 1\n" * 900) * 10),
    "many_unknown_parents": ("T022", lambda: b"".join(b"scenario s%d : t%d {}\n" % (i, i) for i in range(4000))),
    "nested_braces": ("T011", lambda: _inside(b"{" * 4_000_000)),
    "many_unreadable_lines": ("T011", lambda: _inside(b"N == \n" * 500_000)),
}


@pytest.mark.parametrize("name", BAD)
def test_it_is_diagnosed_at_once(tmp_path: Path, name: str) -> None:
    expected, data = BAD[name]
    path = tmp_path / "bad.threat"
    path.write_bytes(data())
    assert f"error[{expected}]" in answer(path)


def test_a_directory_and_a_missing_file(tmp_path: Path) -> None:
    assert "is a directory" in answer(tmp_path)
    assert "no such file" in answer(tmp_path / "absent.threat")
    assert "cannot be read" in answer_of("bad\0name")


def answer_of(path: str) -> str:
    with pytest.raises(dsl.ThreatError) as caught:
        dsl.load(path)
    return str(caught.value)


def test_a_sweep_of_a_million_million_points_is_declared_but_not_made(tmp_path: Path) -> None:
    path = tmp_path / "sweep.threat"
    path.write_text("scenario a { sweep N = 1..10^12; sweep queries = 1..10^12 }")
    assert answer(path) == "1 scenarios"
    (scenario,) = dsl.load(path)
    assert scenario.sweep_size() == 10**24
    assert next(scenario.points()).name == "a[N=1, queries=1]"


def test_thousands_of_scenarios_simply_work() -> None:
    text = "\n".join(f"scenario s{i} {{ N = {i + 1}; queries <= N/5; expect feasible }}" for i in range(3000))
    assert [scenario.N for scenario in dsl.loads(text)] == list(range(1, 3001))


@pytest.mark.parametrize("order", [1, -1])
def test_long_chains_of_parents(order: int) -> None:
    blocks = ["scenario s0 { N = 7; queries <= N*2; expect queries <= N }"]
    blocks += [f"scenario s{i} : s{i - 1} {{ }}" for i in range(1, 4000)]
    scenarios = dsl.loads("\n".join(blocks[::order]))
    assert {scenario.queries for scenario in scenarios} == {14}
    assert scenarios[-1 if order == 1 else 0].origins["N"].source.startswith("inherited from `s0`")


def test_a_long_cycle_of_parents_is_named_briefly() -> None:
    text = "\n".join(f"scenario s{i} : s{(i + 1) % 5000} {{ }}" for i in range(5000))
    with pytest.raises(dsl.ThreatError) as caught:
        dsl.loads(text)
    assert [each.code for each in caught.value.diagnostics] == ["T023"]
    assert len(caught.value.render()) < 1000


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(b"scenario a { N = 3 }"))
    monkeypatch.setattr(sys, "stdin", stream)
    (scenario,) = dsl.load("-")
    assert (scenario.N, scenario.file) == (3, "<stdin>")

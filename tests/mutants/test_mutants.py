"""The mutation tool: which changes it makes, what it notices, and the lists that it is checked against."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from benchmarks import mutants as command
from benchmarks._mutations import Mutant, mutants
from benchmarks._trials import Bench, Trial, in_parts
from benchmarks._watching import Seen, Watched, held, is_fresh, is_held

SOURCE = '''
"""Prose with 1 number."""
LIMIT = 6

def area(width: int, height: int = 2) -> int:
    """Prose again: 3 < 4."""
    assert width > 0, "7 words"
    if width < LIMIT and not height:
        raise ValueError(f"{width + 1}")
    total = 0
    for one in range(width):
        total += max(one, height)
    return compare("a", total, ">=", width.lo)
'''


@cache
def written() -> list[Mutant]:
    return list(command.by_hand())


def changes(source: str = SOURCE) -> set[tuple[str, str]]:
    return {(one.old, one.new) for one in mutants("some/file.py", source)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 6", "LIMIT = 5"),
        ("LIMIT = 6", "LIMIT = 12"),
        ("width < LIMIT and (not height)", "width <= LIMIT and (not height)"),
        ("width < LIMIT and (not height)", "width < LIMIT or not height"),
        ("width < LIMIT and (not height)", "width < LIMIT"),
        ("width < LIMIT and (not height)", "width < LIMIT and height"),
        ("if width < LIMIT and (not height):", "if False:"),
        ("for one in range(width):", "for one in range(width + 1):"),
        ("for one in range(width):", "for one in range(width - 1):"),
        ("total += max(one, height)", "pass"),
        ("max(one, height)", "min(one, height)"),
        ("compare('a', total, '>=', width.lo)", "compare('a', total, '>', width.lo)"),
        ("compare('a', total, '>=', width.lo)", "compare('a', total, '>=', width.hi)"),
    ],
)
def test_a_change_that_tests_should_notice_is_made(old, new) -> None:
    assert any(one.startswith(old) and other.startswith(new) for one, other in changes()), changes()


def test_prose_annotations_assertions_and_messages_are_left_alone() -> None:
    text = str(changes())
    assert "Prose" not in text
    assert "words" not in text
    assert "width + 1}" not in text


def test_every_mutant_is_known_by_its_function_and_is_another_program() -> None:
    found = mutants("some/file.py", SOURCE)
    assert {one.function for one in found} == {"<module>", "area"}
    assert all(one.old != one.new and one.code(Path("/")) for one in found)


def test_a_zero_becomes_another_number() -> None:
    """Twice 0.0 was no mutant at all, and survived."""
    assert [(one.old, one.new) for one in mutants("some/file.py", "x = 0.0")] == [("x = 0.0", "x = 1.0")]


def test_a_sample_stays_when_another_file_changes() -> None:
    def firsts(source: str) -> list[str]:
        both = [*mutants("a.py", source), *mutants("b.py", SOURCE)]
        return [one.new for one in sorted(both, key=lambda one: one.rank(1)) if one.path == "b.py"]

    assert firsts("x = 1 + 2") == firsts("x = 3 * y + 4 * z")


def test_every_mutant_by_hand_fits_its_file() -> None:
    found = written()
    assert len(found) >= 50
    assert len({one.name for one in found}) == len(found)
    assert {one.path for one in found} <= set(command.targets(None))
    assert all(one.code(command.ROOT) for one in found)


def test_every_guard_is_a_test() -> None:
    guards = [one.guard for one in written() if one.guard]
    sampled = [one.guard for one in command.guards()]
    assert guards
    assert sampled
    for one in guards + sampled:
        file, _, name = one.partition("::")
        assert f"def {name.partition('[')[0]}(" in (command.ROOT / file).read_text(encoding="utf-8")


def test_a_guard_is_named_by_the_mutant_or_by_a_pattern(monkeypatch) -> None:
    source = "UNPROVED = ('need', 'have')\nx = 1 + 2"
    one, other = (next(each for each in mutants("planner/a.py", source) if sign in each.old) for sign in ("need", "+"))
    named = command.Guard("planner/*.py", "<module>", "*'need'*", "*", "tests/a.py::b")
    monkeypatch.setattr(command, "guards", lambda: [named])
    assert command.guarded([one, other]) == {one.known_as: "tests/a.py::b"}
    own = replace(other, guard="tests/c.py::d")
    assert command.guarded([own]) == {own.known_as: "tests/c.py::d"}


def test_every_target_is_a_file() -> None:
    """A pattern that a move leaves behind would take its files out of the sample, and nobody would know."""
    assert [pattern for pattern in command.TARGETS if not any(command.ROOT.glob(pattern))] == []


def test_every_survivor_has_a_reason_and_a_file() -> None:
    for one in command.excuses():
        assert len(one.why) > 10
        assert (command.ROOT / one.file).exists()


def test_a_survivor_without_a_reason_or_too_many_of_them_fail() -> None:
    one, other = mutants("planner/channel/sides.py", "x = 1 + 2")[:2]
    alive = [Trial(one, False, "", 1, 0.0)]
    dead = [Trial(other, True, "a test", 1, 0.0)] * 30
    known = [command.Excuse("planner/*.py", "<module>", one.old, one.new, "because it is so")]
    assert list(command.verdict(alive + dead, known)) == []
    assert list(command.verdict(alive + dead, [])) == ["1 survivors without a reason"]
    assert list(command.verdict(alive + dead[:5], known)) == ["83.3% killed, less than 95%"]


def test_what_killed_a_mutant_before_is_asked_first() -> None:
    one, other = mutants("planner/channel/sides.py", "def area(n):\n    return n + 5")[:2]
    entered = frozenset({("planner/channel/sides.py", "area")})
    tests = tuple(Seen(name, seconds, entered) for name, seconds in (("quick", 0.1), ("often", 0.5), ("slow", 0.9)))
    bench = Bench(command.ROOT, tests, {one.known_as: "slow", other.known_as: "gone"})
    bench.kills["often"] = 2
    assert [test.id for test in bench.chosen(one)] == ["slow", "often", "quick"]
    several = tuple(
        Seen(name, 0.1, frozenset()) for name in ("slow[1]", "slow[2]", "slower[1]")
    )  # cut before they enter
    assert {test.id for test in Bench(command.ROOT, several, bench.killers).chosen(one)} == {"slow[1]", "slow[2]"}
    assert [test.id for test in bench.chosen(other)] == ["often", "quick", "slow"]


def test_few_files_are_read_at_first() -> None:
    names = ["a::1", "b::1", "a::2", "c::1", "d::1", "e::1", "f::1", "a::3", "g::1"]
    parts = list(in_parts([Seen(name, 0.1, frozenset()) for name in names]))
    assert [[one.id for one in part] for part in parts] == [names[:3], names[3:7], names[7:]]
    assert list(in_parts([])) == []


def test_a_summary_tells_what_killed_and_what_is_explained() -> None:
    one, other, third = mutants("planner/channel/sides.py", "x = 1 + 2")[:3]
    trials = [
        Trial(one, False, "", 1, 0.0),
        Trial(other, True, "a.py::b", 1, 0.0),
        Trial(third, True, "an import", 1, 0.0),
    ]
    known = [command.Excuse("planner/*.py", "<module>", one.old, one.new, "because it is so")]
    assert (
        command.summary(trials, known)
        == "2 of 3 killed, 66.7% (1 by a test, 1 by an import); 1 of 1 survivors explained"
    )
    assert command.summary(trials[:1], []) == "0 of 1 killed, 0.0% (); 0 of 1 survivors explained"


HAND = "tests/mutants/hand/planner.toml"
PROJECT = {
    "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\naddopts = "--import-mode=importlib"\n',
    "planner/__init__.py": "",
    **{f"{name}.py": "" for name in ("sklearn", "networkx", "flint", "mpmath")},  # large, and nothing of them is needed
    "planner/channel/sides.py": "def steps(n):\n    i = 0\n    while i < n:\n        i += 1\n    return i\n\n"
    "def idle(n):\n    return n + 5\n",
    "tests/planner/test_sides.py": "from planner.channel.sides import steps, idle\n\n"
    "def test_steps():\n    assert steps(3) == 3\n\n"
    "def test_idle():\n    idle(1)\n",
    HAND: "".join(
        f'[[mutant]]\nname = "{name}"\nfile = "planner/channel/sides.py"\nold = "{old}"\nnew = "{new}"\n'
        for name, old, new in (("late", "i = 0", "i = 9"), ("endless", "i += 1", "pass"), ("unseen", "n + 5", "n + 6"))
    ),
    "tests/mutants/survivors.toml": "",
    "tests/mutants/guards.toml": "",
}


def a_project(folder: Path) -> None:
    shutil.copytree(command.ROOT / "benchmarks", folder / "benchmarks", ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in PROJECT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def held_of(folder: Path, file: str, used: list[str], entered: list[str]) -> Watched:
    return {file: held(folder, file, [used, [(path, "steps") for path in entered], []])}


@pytest.mark.parametrize(
    ("changed", "same", "fresh"),
    [
        ("tests/planner/test_sides.py", False, False),
        ("planner/channel/sides.py", True, False),
        ("planner/__init__.py", True, False),
        ("tests/planner/test_other.py", True, True),
    ],
)
def test_what_was_seen_is_as_old_as_the_tests_and_what_they_enter(changed, same, fresh, tmp_path) -> None:
    a_project(tmp_path)
    file = "tests/planner/test_sides.py"
    seen = held_of(tmp_path, file, used=["planner/__init__.py"], entered=["planner/channel/sides.py"])
    assert is_held(tmp_path, file, seen)
    assert is_fresh(tmp_path, file, seen)
    with (tmp_path / changed).open("a") as written:
        written.write("x = 1\n")
    assert (is_held(tmp_path, file, seen), is_fresh(tmp_path, file, seen)) == (same, fresh)


def test_a_function_that_is_never_entered_may_change(tmp_path) -> None:
    a_project(tmp_path)
    file, only_read = "tests/planner/test_sides.py", "planner/channel/sides.py"
    seen = held_of(tmp_path, file, used=[only_read], entered=[])
    text = (tmp_path / only_read).read_text()
    (tmp_path / only_read).write_text(text.replace("n + 5", "n + 7"))
    assert is_fresh(tmp_path, file, seen)
    (tmp_path / only_read).write_text(text.replace("idle(n)", "idle(n, m=2)"))
    assert not is_fresh(tmp_path, file, seen)


def call(folder: Path) -> subprocess.CompletedProcess[str]:
    options = ["--only", "planner/channel/sides.py", "--hand", "--seen", "kept.json"]
    clean = {**os.environ, "PYTHONPATH": ""}
    line = [sys.executable, "-m", "benchmarks", "mutants", *options]
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, env=clean, check=False)


def killers(folder: Path) -> list[str]:
    return [*json.loads((folder / "kept.json").read_text())["killers"].values()]


def test_the_command_kills_what_tests_notice_endless_loops_too_and_shows_the_rest(tmp_path) -> None:
    a_project(tmp_path)
    done = call(tmp_path)
    assert done.returncode == 1, done.stderr
    assert "2 of 3 killed, 66.7% (1 by a test, 1 by the time limit)" in done.stdout
    assert "# unseen" in done.stdout
    assert "1 survivors without a reason" in done.stdout
    assert killers(tmp_path) == ["tests/planner/test_sides.py::test_steps"]


def test_what_is_kept_of_older_code_lets_no_mutant_live_or_die(tmp_path) -> None:
    """What a test was not seen to enter, it may enter today; one that passed when it was seen may fail with every mutant."""
    a_project(tmp_path)
    (tmp_path / HAND).write_text(
        PROJECT[HAND].replace('new = "pass"', 'new = "i += 2"')
    )  # an endless one takes its time
    call(tmp_path)
    code = tmp_path / "planner/channel/sides.py"
    text = code.read_text()
    code.write_text(text.replace("return i\n", "return i + idle(1) - 6\n"))
    done = call(tmp_path)
    assert (done.returncode, "3 of 3 killed" in done.stdout) == (0, True), done.stderr
    code.write_text(text.replace("return i\n", "return i + 1\n"))
    done = call(tmp_path)
    assert (done.returncode, "of 3 killed" in done.stdout) == (1, False)
    assert "without any mutant these fail: tests/planner/test_sides.py" in done.stderr

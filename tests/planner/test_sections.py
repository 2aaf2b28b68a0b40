"""The working precision has one owner: reports depend neither on other threads nor on the caller's own precision."""

from __future__ import annotations

import ast
import json
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flint import arb, ctx

import planner.numerics.reals
from dsl import loads
from planner import plan
from planner.certify import certify
from planner.channel.channel import channel_of
from planner.limits import limits_of
from planner.numerics.reals import compare, floor_of, per_precision, recalled, settled, working
from planner.report import channel_to_json

ROOT = Path(planner.numerics.reals.__file__).parents[1]
OWNED = ("dsl", "planner", "backends", "threatplan", "tui")
TEXTS = [
    f"scenario s {{ N = {N}; clip = {clip}; decimals = {decimals}; noise = {noise}; phi = {phi} }}"
    for N, clip, decimals, noise, phi in (
        (50, "1e-15", "5", "none", "float64"),
        (198, "1e-7", "3", "gaussian(1e-4)", "float64"),
        (60, "2^-52", "full", "bounded(1e-6)", "200"),
        (40, "1e-15", "2", "uniform(-0.1, 0.1)", "arbitrary"),
        (90, "1e-15", "4", "laplace(1e-3)", "float32"),
        (30, "1e-7", "full", "none", "64"),
        (70, "1e-15", "1", "none", "float64"),
        (20, "1e-3", "full", "subexponential(1e-4, 1e-4)", "arbitrary"),
    )
]


@pytest.fixture
def ambient() -> Iterator[Callable[[int], None]]:
    """Sets the precision that a caller may have left behind."""
    before = ctx.prec

    def leave(bits: int) -> None:
        ctx.prec = bits

    yield leave
    ctx.prec = before


@pytest.fixture
def impatient() -> Iterator[None]:
    """Threads that take turns as often as the interpreter lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


def reported(text: str) -> str:
    return json.dumps(plan(loads(text)[0]).to_json())


def test_planning_in_threads_changes_no_report_and_leaves_the_precision(impatient: None) -> None:
    expected = [reported(text) for text in TEXTS]
    before = ctx.prec
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(reported, TEXTS))
    assert found == expected
    assert ctx.prec == before


@pytest.mark.parametrize("bits", [10, 53, 1000])
def test_reports_do_not_depend_on_the_callers_precision(ambient: Callable[[int], None], bits: int) -> None:
    for text in TEXTS[:4]:
        ambient(53)
        expected = reported(text)
        ambient(bits)
        assert reported(text) == expected
        assert ctx.prec == bits


@pytest.mark.parametrize("bits", [10, 1000])
def test_parts_of_a_report_do_not_depend_on_it_either(ambient: Callable[[int], None], bits: int) -> None:
    report = plan(loads(TEXTS[0])[0])
    parameters = report.best.certified.certificate.parameters  # type: ignore[union-attr]
    ambient(bits)
    channel = channel_of(report.scenario)
    assert certify(channel, parameters) == certify(report.channel, parameters) == report.best.certified.certificate  # type: ignore[union-attr]
    assert limits_of(channel) == report.limits
    assert channel_to_json(channel) == channel_to_json(report.channel) == report.to_json()["channel"]


def test_nobody_else_touches_the_context() -> None:
    touching = [
        path.relative_to(ROOT).as_posix()
        for package in OWNED
        for path in sorted((ROOT / package).rglob("*.py"))
        if path.name != "reals.py" and _names_the_context(path)
    ]
    assert touching == []


def _names_the_context(path: Path) -> bool:
    """Whether a file imports flint's context, or flint whole."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("flint"):
            if any(one.name in ("ctx", "*") for one in node.names) or node.module != "flint":
                return True
        elif isinstance(node, ast.Import) and any(one.name.split(".")[0] == "flint" for one in node.names):
            return True
    return False


def test_no_property_of_the_planner_is_computed_under_a_lock() -> None:
    """Python 3.11's cached_property holds one: a thread in it, waiting for the precision, would wait for ever."""
    locked = [
        path.relative_to(ROOT).as_posix()
        for package in ("planner", "backends")
        for path in sorted((ROOT / package).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module == "functools"
        if any(one.name == "cached_property" for one in node.names)
    ]
    assert locked == []


def test_sections_nest_and_restore_on_exceptions(ambient: Callable[[int], None]) -> None:
    ambient(77)
    with working(200):
        with pytest.raises(ZeroDivisionError), working(300):
            _ = 1 // (300 - ctx.prec)
        assert ctx.prec == 200
        with settled():
            assert ctx.prec == 200
    assert ctx.prec == 77
    with settled():
        assert ctx.prec == planner.numerics.reals.START_BITS


def test_one_thread_at_a_time_is_in_a_section() -> None:
    inside, seen, entered = threading.Event(), [], threading.Event()

    def other() -> None:
        entered.set()
        with working(777):
            seen.append((inside.is_set(), ctx.prec))

    with working(200):
        thread = threading.Thread(target=other)
        thread.start()
        entered.wait()
        thread.join(0.05)
        assert ctx.prec == 200
        assert seen == []
        inside.set()
    thread.join()
    assert seen == [(True, 777)]


def test_who_waits_is_not_overtaken() -> None:
    """A thread that plans theorem after theorem lets one in between that only wants a figure."""
    turns: list[str] = []
    waiting = threading.Event()

    def short() -> None:
        waiting.set()
        with working(100):
            turns.append("short")

    thread = threading.Thread(target=short)
    with working(100):
        thread.start()
        waiting.wait()
        while not planner.numerics.reals._next.locked():
            pass
        turns.append("first")
    for _ in range(3):
        with working(100):
            turns.append("next")
    thread.join()
    assert turns == ["first", "short", "next", "next", "next"]


def test_values_are_kept_for_the_precision_that_they_were_computed_at() -> None:
    class Record:
        @per_precision
        def third(self) -> arb:
            return arb(1) / 3

    @recalled(8)
    def third(of: int) -> arb:
        return arb(of) / 3

    record = Record()
    for value in (record.third, lambda: third(1)):
        with working(20):
            coarse = value()
        with working(200):
            fine = value()
            assert value() is fine
            assert fine.rad() < coarse.rad()
        with working(20):
            assert value() is coarse


def test_comparisons_start_from_the_section_and_not_from_the_caller(ambient: Callable[[int], None]) -> None:
    used = []

    def side() -> arb:
        used.append(ctx.prec)
        return arb(2)

    ambient(5000)
    compare("", side, ">", lambda: arb(1))
    floor_of(side)
    assert used == [planner.numerics.reals.START_BITS] * 2

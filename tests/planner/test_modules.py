"""Ordinary scenarios are planned without any heavy library, and at every size."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import grimp
import networkx as nx
import pytest

from benchmarks.planning import SCENARIOS
from dsl.scenario import Arbitrary, Scenario
from planner import plan
from planner.catalogue import kinds
from planner.certify import certifier_of
from tests.planner.known import fpa

ATTACKS = Path(__file__).parents[2] / "planner" / "attacks"
HEAVY = ("numpy", "networkx", "mpmath", "gmpy2", "textual", "sklearn", "scipy", "torch", "matplotlib")

PROGRAM = """
import sys
from fractions import Fraction
from dsl.numbers import Real
from dsl.scenario import *
from planner import plan
clip = Real.of(Fraction(1, 10**15))
for scenario in (
    Scenario(name="a", N=25_000, clip=clip),
    Scenario(name="b", N=25_000, clip=clip, shown=Decimals(5), queries=300),
    Scenario(name="c", N=1000, K=10, columns=10, clip=clip, shown=Decimals(4)),
    Scenario(name="d", N=10_000, phi=FixedPoint(32, 31)),
    Scenario(name="e", N=10**6, phi=Arbitrary()),
    Scenario(name="f", N=1000, clip=clip, noise=Bounded(Real.of(Fraction(1, 1000)))),
    Scenario(name="g", N=1000, clip=clip, noise=Gaussian(Real.of(Fraction(1, 1000)))),
    Scenario(name="h", N=1000, clip=clip, noise=Multiplicative(Real.of(Fraction(1, 100)))),
    Scenario(name="i", N=4000, clip=clip, shown=Decimals(1)),
    Scenario(name="j", N=1000, noise=Laplace(Real.of(1))),
):
    report = plan(scenario)
    report.to_json()
print(" ".join(sorted({name.partition(".")[0] for name in sys.modules})))
"""


def test_every_kind_of_parameters_has_a_certifier():
    rooms = {f"planner.attacks.{file.parent.name}" for file in ATTACKS.glob("*/certify.py")}
    assert {kind.__module__.rpartition(".")[0] for kind in kinds().values()} == rooms
    assert all(callable(certifier_of(kind)) for kind in kinds().values())


def test_no_import_goes_round_not_even_inside_functions():
    graph = grimp.build_graph("dsl", "planner", "backends", "threatplan", "tui", exclude_type_checking_imports=True)
    pairs = ((one, other) for one in graph.modules for other in graph.find_modules_directly_imported_by(one))
    assert [sorted(knot) for knot in nx.strongly_connected_components(nx.DiGraph(pairs)) if len(knot) > 1] == []


def test_planning_loads_no_heavy_library():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "planner" in loaded
    assert not loaded & set(HEAVY)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_million_million_labels_are_planned(name):
    """`python -m benchmarks planning` says how fast; one that counted labels one by one would not end."""
    assert plan(replace(SCENARIOS[name], N=10**12)).candidates


@pytest.mark.timeout(60)
@pytest.mark.parametrize("phi", [Arbitrary(), fpa(64)])
def test_a_million_million_labels_of_any_precision(phi):
    plan(Scenario(name="large", N=10**12, phi=phi))

"""Every legal scenario is planned with bounded work: what would be long is refused before it starts, or cut short."""

from __future__ import annotations

import pytest

import planner.attacks.block.theorem as block
from benchmarks.extremes import texts
from dsl import ThreatError, loads
from planner import plan
from planner.attacks.digits.theorem import MOST_CLASSES, MOST_ENTRIES
from planner.channel.channel import USED_BITS
from planner.model import Candidate
from planner.report import Report


def report(text: str) -> Report:
    return plan(loads(f"scenario s {{ {text} }}")[0])


def candidate(found: Report, attack: str) -> Candidate:
    return next(one for one in found.candidates if one.attack == attack)


@pytest.mark.parametrize("size", ["10^16", "10^18"])
@pytest.mark.parametrize("rest", ["", "; K = 3", "; noise = multiplicative(0.1)", "; noise = gaussian(1e-3)"])
def test_more_rows_than_a_running_sum_bears_are_refused(size: str, rest: str) -> None:
    """The error of so many additions is infinite, and was an internal failure."""
    found = report(f"N = {size}; summation = sequential; clip = 1e-15; decimals = 5{rest}")
    assert found.best is None
    if not rest:
        (reason,) = candidate(found, "threshold").reasons
        assert (reason.field, reason.have) == ("N", f"{found.channel.rows:,} rows, summation sequential")


def test_no_plan_writes_more_bits_than_it_needs() -> None:
    """A grid of a million bits is used like one of a thousand."""
    found = report("N = 10^12; phi = fixed(2, 10^6)")
    rows = candidate(found, "block").certified.certificate.parameters.rows  # type: ignore[union-attr]
    assert len(rows) == block.MOST_LISTED
    assert max(p.denominator.bit_length() for p in rows) <= USED_BITS + 1


@pytest.mark.parametrize("phi", ["float64", "64", "fixed(2, 10^5)"])
def test_digits_of_more_classes_than_a_plan_writes_out_are_refused(phi: str) -> None:
    """On a fixed grid they were written out, and took a minute."""
    (reason,) = candidate(report(f"N = 100; K = 10^6; phi = {phi}; clip = 1e-15"), "digits").reasons
    assert reason.field == "K"
    assert f"at most {MOST_CLASSES:,} classes" in reason.need
    assert "s a row" in reason.have


def test_digits_of_many_classes_take_fewer_rows() -> None:
    found = candidate(report("N = 10^6; K = 1000; phi = fixed(20, 5000)"), "digits").certified
    assert found is not None
    assert sum(map(len, found.certificate.parameters.rows)) <= MOST_ENTRIES  # type: ignore[union-attr]


def test_one_search_for_a_block_serves_every_goal_within_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """The most labels that a budget exposes are found by trying goals; the rows are the same for all of them."""
    searched = []
    search = block._ascending
    monkeypatch.setattr(block, "_ascending", lambda *given: searched.append(given[1]) or search(*given))
    block._most_listed.cache_clear()
    found = report("N = 12345; clip = 1e-9; decimals = 8; queries <= 100")
    assert found.exposure.attack is not None
    most = max(searched)
    assert searched.count(most) == 1


def test_legal_extremes_end_in_a_report() -> None:
    ended = 0
    for text in texts(40, seed=4):
        try:
            (scenario,) = loads(text)
        except ThreatError:
            continue
        found = plan(scenario)
        written = [len(str(one.certified.certificate.parameters)) for one in found.candidates if one.certified]
        assert max(written, default=0) < 10**6, text
        ended += 1
    assert ended > 20

"""What must not be is found: attacks that fail, certificates that do not follow, limits that are contradicted."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from dsl import loads
from dsl.numbers import Real
from planner import plan
from planner.attacks.block.theorem import Block
from planner.limits import LIMITS
from planner.model import Limit, Verdict
from threatplan.campaign import auditing, challenge, laws
from threatplan.campaign.examine import examine, exceeded
from threatplan.campaign.promises import Promises, margin
from threatplan.campaign.terms import Task, Terms

TERMS = Terms(trials=2, seed=1)
SOURCE = "scenario s { N = 6; clip = 1e-15; decimals = 4; columns = 2 }\n"


def examined(source=SOURCE, terms=TERMS):
    return examine(Task(3, source), terms)


def kinds(record):
    return {(one["kind"], one["where"]) for one in record["defects"]}


def test_a_sound_scenario():
    record = examined()
    assert record["index"] == 3
    assert record["verdict"] == "feasible"
    assert record["defects"] == []
    block = record["attacks"]["block"]
    assert (block["status"], block["trials"], block["missed"], block["chance"]) == ("feasible", 2, 0, None)
    assert record["queries"] == min(one["queries"] for one in record["attacks"].values())
    assert record == examined()


def test_terms_are_kept():
    assert examined(terms=replace(TERMS, trials=0))["attacks"]["block"]["trials"] == 0
    small = examined("scenario s { N = 5000; clip = 1e-15; decimals = 4 }", Terms(seconds=0.001))
    assert small["attacks"]["block"]["trials"] == 0
    assert "needs about" in small["attacks"]["block"]["refused"]


class Liar:
    """A block attack that turns one label over."""

    def __init__(self, honest, wrong=True, error=None, more=0):
        self.honest, self.wrong, self.error, self.more = honest, wrong, error, more
        self.id, self.adaptive = honest.id, True

    def knowing(self, guess):
        return self

    def recover(self, score):
        if self.error:
            raise self.error
        found = self.honest.recover(score)
        for _ in range(self.more):
            score(next(self.honest.queries()))
        if self.wrong:
            found[0] = 1 - found[0]
        return found


@pytest.mark.parametrize(
    ("how", "kind"),
    [({}, "promise"), ({"wrong": False, "more": 3}, "promise"), ({"error": ZeroDivisionError("x")}, "crash")],
)
def test_a_certified_attack_that_fails(monkeypatch, how, kind):
    honest = Block.build
    monkeypatch.setattr(Block, "build", lambda self, c, p: Liar(honest(self, c, p), **how))
    record = examined()
    assert (kind, "block") in kinds(record)
    assert record["attacks"]["block"]["missed"] == 2


def test_a_broken_build_is_a_crash(monkeypatch):
    monkeypatch.setattr(Block, "build", lambda *arguments: 1 // 0)
    assert ("crash", "block") in kinds(examined())


def test_chance_excuses_only_what_was_promised(monkeypatch):
    honest = Block.build
    monkeypatch.setattr(Block, "build", lambda self, c, p: Liar(honest(self, c, p)))
    source = "scenario s {{ N = 6; clip = 1e-15; noise = gaussian(1e-6); confidence = {} }}"
    excused = examined(source.format("90%"))
    assert excused["attacks"]["block"]["missed"] == 2
    assert excused["attacks"]["block"]["chance"] == pytest.approx(0.1)
    assert excused["defects"] == []
    assert ("promise", "block") in kinds(examined(source.format("1 - 1e-9")))


def test_a_certificate_that_does_not_follow():
    report = plan(loads(SOURCE)[0])
    candidate = next(one for one in report.candidates if one.attack == "block")
    certificate = candidate.certified.certificate
    worse = replace(certificate.parameters, rows=(*certificate.parameters.rows[:-1], Fraction(1, 3)))
    forged = replace(
        candidate, certified=replace(candidate.certified, certificate=replace(certificate, parameters=worse))
    )
    promises = Promises(report, 0, replace(TERMS, trials=0))
    promises.examine(forged)
    assert [one["kind"] for one in promises.defects] == ["certificate"]


def test_a_limit_that_excludes_an_attack():
    report = plan(loads(SOURCE)[0])
    false = Limit("I9", "false", 1000, False, "")
    found = list(laws.contradictions(replace(report, limits=(false,))))
    assert [one["kind"] for one in found] == ["contradiction"]
    assert "at least 1000 are needed (the scenario itself)" in found[0]["text"]


def test_a_limit_that_excludes_an_attack_where_it_is_easier(monkeypatch):
    """A bound that forgets adaptive attacks shows when queries may be adaptive."""
    report = plan(loads(SOURCE.replace("}", "; adaptive = no }"))[0])
    assert not list(laws.contradictions(report))
    counting = type(LIMITS[0])
    honest = counting.apply

    def careless(self, channel):
        return replace(honest(self, channel), queries=999) if channel.adaptive else honest(self, channel)

    monkeypatch.setattr(counting, "apply", careless)
    assert any("queries may be adaptive" in one["text"] for one in laws.contradictions(report))


def test_easier_scenarios():
    scenario = loads(
        "scenario s { N = 6; clip = 1e-3; noise = bounded(0.1); decimals = 3; adaptive = no; phi = arbitrary }"
    )[0]
    part = replace(scenario, public=3, find="labels_and_split")
    flipped = replace(scenario, response=Real.of(2))
    found = {name for one in (scenario, part, flipped) for name, _ in laws.relaxations(one)}
    assert found == set(laws.RELAXATIONS)
    fixed = replace(scenario, phi=loads("scenario s { N = 6; phi = 20 }")[0].phi, renormalises=True)
    assert "a smaller clip" not in {name for name, _ in laws.relaxations(fixed)}


@pytest.mark.parametrize("noise", ["", "; noise = bounded(1e-3)"])
def test_a_limit_that_the_scorer_refutes(noise):
    report = plan(loads(f"scenario s {{ N = 3; clip = 1e-9; columns = 2 {noise} }}")[0])
    assert not list(challenge.challenged(report, 0))
    for false in (Limit("I9", "false", 4, False, ""), Limit("I9", "false", None, True, "")):
        found = list(challenge.challenged(replace(report, limits=(false,)), 0))
        assert [one["where"] for one in found] == ["I9"]


def test_a_true_limit_stands():
    """One decimal of scores that hardly differ: two queries cannot tell eight labelings apart."""
    report = plan(loads("scenario s { N = 3; clip = 49%; decimals = 1; phi = arbitrary }")[0])
    assert any(one.excludes_all or (one.queries or 0) > 1 for one in report.limits)
    assert not [one for index in range(20) for one in challenge.challenged(report, index)]


def test_margin_is_the_least_strict_slack():
    report = plan(loads(SOURCE)[0])
    certificate = next(one for one in report.candidates if one.attack == "block").certified.certificate
    one = next(each for each in certificate.inequalities if each.relation == ">")
    assert margin(certificate) == pytest.approx(float(one.left.lo) / float(one.right.hi) - 1, rel=1e-3)


def test_unreadable_and_given_up():
    assert examined("scenario s { N = 0 }")["verdict"] == "failed"
    assert exceeded(Task(1, SOURCE), "too long")["verdict"] == "exceeded"


def test_unmet_expectations_are_told():
    assert examined(SOURCE.replace("}", "; expect impossible }"))["unmet"] == ["impossible"]


def test_a_tenth_of_the_reports_is_verified_and_a_refused_one_is_a_defect(monkeypatch):
    report = plan(loads(SOURCE)[0])
    false = replace(report, exposure=replace(report.exposure, labels=5))
    found = [auditing.audited(false, index, TERMS) for index in range(200)]
    checked = [one for one in found if one]
    assert 10 <= len(checked) <= 30
    assert all(one[0]["kind"] == "report" and "exposure" in one[0]["text"] for one in checked)
    assert not any(auditing.audited(report, index, TERMS) for index in range(200))
    monkeypatch.setattr(auditing, "SHARE", 1)
    monkeypatch.setattr("planner.planning.judge", lambda *known: (Verdict.IMPOSSIBLE, "because"))
    assert ("report", None) in kinds(examined())

"""Certified attacks held to their word: the certificate derived again from its record, and the attack run."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any

from threatplan.campaign.defects import Defect, defect, describe
from threatplan.campaign.terms import Terms

if TYPE_CHECKING:
    from backends.setting import Setting
    from dsl.scenario import Scenario
    from planner.attacks.attack import Attack
    from planner.model import Candidate, Certificate, Plan
    from planner.report import Report

SHARE = 1 / 8  # of a scenario's budget that one attack's simulations may be expected to take


class Promises:
    """What the certified candidates of one report promise, and whether they keep it."""

    def __init__(self, report: Report, index: int, terms: Terms) -> None:
        self.report = report
        self.index = index
        self.terms = terms
        self.defects: list[Defect] = []

    def examine(self, candidate: Candidate) -> dict[str, Any]:
        """The entry of one certified candidate; what it breaks is added to the defects."""
        plan = candidate.certified
        assert plan is not None
        certificate = plan.certificate
        self._recheck(candidate, certificate)
        entry = {
            "status": str(candidate.status),
            "queries": plan.queries,
            "margin": margin(certificate),
            "chance": float(certificate.promise.chance) if certificate.promise.chance else None,
        }
        return entry | self._simulate(candidate, plan)

    def _recheck(self, candidate: Candidate, certificate: Certificate) -> None:
        """The certificate must follow from its JSON record alone."""
        from planner.attacks.parameters import parameters_from_json
        from planner.certify import certify

        recorded = parameters_from_json(json.loads(json.dumps(certificate.parameters.to_json())))
        if recorded != certificate.parameters:
            self._accuse("certificate", candidate.attack, f"parameters changed by JSON: {recorded}")
        again = certify(candidate.channel or self.report.channel, recorded)
        failed = [one.name for one in again.inequalities if not one.holds]
        if failed or not again.holds:
            self._accuse("certificate", candidate.attack, f"does not hold when derived again: {', '.join(failed)}")

    def _simulate(self, candidate: Candidate, plan: Plan) -> dict[str, Any]:
        from backends.resources import Limits, ResourceRefusal, estimate, require

        cost = estimate(self.report.scenario, plan, self.terms.trials)
        try:
            require(candidate.attack, cost, Limits(self.terms.memory // 2, self.terms.seconds * SHARE))
        except ResourceRefusal as refusal:
            return {"trials": 0, "missed": 0, "refused": str(refusal)}
        try:
            built = candidate.build()
        except Exception as error:
            self._accuse("crash", candidate.attack, f"cannot be built: {describe(error)}")
            return {"trials": 0, "missed": 0}
        seen = self.report.scenario.showing((candidate.channel or self.report.channel).metric_id)
        missed = sum(self._breaks(built, plan, seen, trial) for trial in range(self.terms.trials))
        return {"trials": self.terms.trials, "missed": missed}

    def _breaks(self, attack: Attack, plan: Plan, seen: Scenario, trial: int) -> bool:
        """Whether the attack fails in a trial; a failure that chance does not excuse is a defect."""
        from backends.promises import shortfall
        from backends.trials import run_attack

        how = self._adversary(attack.id, trial)
        setting = self._setting(how, plan, seen)
        told = ", ".join(f"{name} {value}" for name, value in how.items())
        try:
            failure = shortfall(run_attack(attack, setting, trials=1), plan.certificate.promise)
        except Exception as error:
            if isinstance(error, MemoryError):
                raise
            self._accuse("crash", attack.id, f"{describe(error)} ({told})")
            return True
        if failure and not failure.by_chance:
            self._accuse("promise", attack.id, f"{failure.text} ({told})")
        return failure is not None

    def _adversary(self, attack: str, trial: int) -> dict[str, Any]:
        """Labels and noise of a trial: another adversary for every scenario, attack and trial."""
        from backends.labels import KINDS
        from backends.noise import MEMBERS, MODES

        draw = Random(f"{self.terms.seed} {self.index} {attack} {trial}")
        found: dict[str, Any] = {
            "seed": draw.randrange(2**32),
            "labels": draw.choice(sorted(KINDS)),
            "mode": draw.choice(MODES),
            "member": draw.choice(MEMBERS),
        }
        scenario = self.report.scenario
        if scenario.positives is not None:
            return found | {"labels": "random"}  # of which just so many are 1
        wrong = scenario.mistakes
        return found if wrong is None else found | {"guess": draw.choice((wrong, wrong, draw.randint(0, wrong)))}

    def _setting(self, how: dict[str, Any], plan: Plan, seen: Scenario) -> Setting:
        from backends.setting import Setting
        from backends.simulate import score_bits

        return Setting(seen, precision_bits=score_bits(seen, plan), **how)

    def _accuse(self, kind: str, attack: str, text: str) -> None:
        self.defects.append(defect(kind, attack, text))


def margin(certificate: Certificate) -> float | None:
    """The least relative slack of the strict inequalities; None: there are none with a finite right side."""
    slacks = []
    for one in certificate.inequalities:
        if one.relation not in "<>":
            continue
        large, small = (one.left.lo, one.right.hi) if one.relation == ">" else (one.right.lo, one.left.hi)
        if float(small) > 0:
            slacks.append(min(float(large) / float(small) - 1, 1e9))
    return min(slacks, default=None)

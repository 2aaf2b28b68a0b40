"""What came of a campaign, gathered record by record in any order."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

IMPROBABLE = 1e-6  # misses that chance would bring less often than this are a defect
SHOWN_DEFECTS = 1000  # kept in full; all are counted


@dataclass
class AttackTally:
    """One attack over all scenarios."""

    plans: int = 0  # scenarios in which it is certified
    feasible: int = 0  # of these, within the budget
    simulations: int = 0
    refused: int = 0  # scenarios too large to simulate
    failures: int = 0  # promises broken, crashes and bad certificates: there must be none
    missed: int = 0  # simulations that failed within the probability that was promised
    allowed: float = 0.0  # how many of these the promises allow on average
    margin: float | None = None  # the least relative slack of a certificate

    def add(self, entry: dict[str, Any], failures: int) -> None:
        """Count one scenario."""
        self.plans += 1
        self.feasible += entry["status"] == "feasible"
        self.simulations += entry["trials"]
        self.refused += "refused" in entry
        self.failures += failures
        if entry["chance"] is not None:
            self.missed += entry["missed"]
            self.allowed += entry["chance"] * entry["trials"]
        if entry["margin"] is not None:
            self.margin = entry["margin"] if self.margin is None else min(self.margin, entry["margin"])


@dataclass
class Summary:
    """The whole campaign. Equal sets of records give equal summaries, whatever their order."""

    scenarios: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    attacks: defaultdict[str, AttackTally] = field(default_factory=lambda: defaultdict(AttackTally))
    limits: Counter[str] = field(default_factory=Counter)  # which proof set the lower bound
    pairs: Counter[tuple[int, int]] = field(default_factory=Counter)  # lower bound and fewest certified queries
    exceeded: Counter[str] = field(default_factory=Counter)
    unmet: int = 0  # expectations that do not hold
    defects: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)
    chances: dict[tuple[str, float], list[int]] = field(default_factory=dict)  # attack, δ: trials and misses

    def add(self, record: dict[str, Any]) -> None:
        """Count one scenario."""
        self.scenarios += 1
        self.verdicts[record["verdict"]] += 1
        self.unmet += len(record.get("unmet", ()))
        if "exceeded" in record:
            self.exceeded[record["exceeded"]] += 1
        for name, entry in record.get("attacks", {}).items():
            self._attack(name, entry, sum(one["where"] == name for one in record["defects"]))
        self._bound(record)
        for one in record["defects"]:
            self.defects[one["kind"]] += 1
            self.examples.append({"index": record["index"], **one, "source": record["source"]})

    def _attack(self, name: str, entry: dict[str, Any], failures: int) -> None:
        self.attacks[name].add(entry, failures)
        if entry["chance"] is not None:
            tally = self.chances.setdefault((name, entry["chance"]), [0, 0])
            tally[0] += entry["trials"]
            tally[1] += entry["missed"]

    def _bound(self, record: dict[str, Any]) -> None:
        bound = record.get("lower_bound", {"by": None})
        if bound["by"] is not None:
            self.limits[bound["by"]] += 1
            if record["queries"] is not None:
                self.pairs[bound["queries"], record["queries"]] += 1

    @property
    def sound(self) -> bool:
        """Whether nothing was found that must not be."""
        return not self.defects and not self.unlikely()

    def unlikely(self) -> list[dict[str, Any]]:
        """Promises with a probability that were broken more often than chance explains."""
        found = []
        for (attack, delta), (trials, missed) in sorted(self.chances.items()):
            chance = tail(trials * delta, missed)
            if chance < IMPROBABLE:
                found.append({"attack": attack, "delta": delta, "trials": trials, "missed": missed, "chance": chance})
        return found

    def ratios(self) -> dict[str, float] | None:
        """The fewest certified queries over the lower bound, where both are known: median, p90, max."""
        if not self.pairs:
            return None
        ordered = sorted((Fraction(queries, bound), count) for (bound, queries), count in self.pairs.items())
        return {
            "count": self.pairs.total(),
            "median": _quantile(ordered, 0.5),
            "p90": _quantile(ordered, 0.9),
            "max": float(ordered[-1][0]),
        }

    def to_json(self) -> dict[str, Any]:
        """The summary as JSON data."""
        return {
            "scenarios": self.scenarios,
            "sound": self.sound,
            "verdicts": dict(sorted(self.verdicts.items())),
            "attacks": {name: _rounded(vars(tally)) for name, tally in sorted(self.attacks.items())},
            "lower_bounds": dict(sorted(self.limits.items())),
            "queries_over_lower_bound": self.ratios(),
            "exceeded": dict(sorted(self.exceeded.items())),
            "unmet_expectations": self.unmet,
            "unlikely": self.unlikely(),
            "defects": dict(sorted(self.defects.items())),
            "examples": sorted(self.examples, key=lambda one: (one["index"], one["kind"], one["text"]))[:SHOWN_DEFECTS],
        }


def tail(mean: float, count: int) -> float:
    """Chernoff's bound on the probability of `count` or more rare events when `mean` are expected."""
    if count <= mean:
        return 1.0
    return math.exp(count - mean - count * math.log(count / mean)) if mean > 0 else 0.0


def _quantile(ordered: list[tuple[Fraction, int]], share: float) -> float:
    """The least value that a share of the counted values does not exceed."""
    wanted, passed = math.ceil(share * sum(count for _, count in ordered)), 0
    for value, count in ordered:
        passed += count
        if passed >= wanted:
            return float(value)
    raise ValueError("no values")


def _rounded(figures: dict[str, Any]) -> dict[str, Any]:
    """Sums of floats differ in their last digits with the order of the records; these are not shown."""
    return {name: float(f"{value:.9g}") if isinstance(value, float) else value for name, value in figures.items()}

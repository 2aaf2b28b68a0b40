"""Large leaderboards end to end: designs through scikit-learn's own log_loss, and a million labels by the transform.

Every query of a leaderboard of 25,000 is scored for five labelings: random, all 0, all 1, alternating, 2 % positive.

At a million labels nobody submits 90,000 files for a benchmark: all scores come from the design's transform with
errors at the certified bound, and a sample of random queries is scored by scikit-learn to show that real scores lie
within that bound.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from fractions import Fraction
from time import perf_counter
from typing import Any

import numpy as np

from dsl.numbers import Real
from dsl.scenario import Decimals, Scenario
from planner.attacks.design.run import DesignAttack
from planner.attacks.design.theorem import Designs
from planner.channel.channel import channel_of
from planner.considering import consider

CLIP = 1e-15
LARGE = [(25_000, 3), (25_000, 4), (25_000, 5), (25_000, 6), (25_000, None)]
MILLION = [(10**6, 5), (10**6, 6), (10**6, None)]


def attack_for(N: int, decimals: int | None) -> DesignAttack:
    shown = None if decimals is None else Decimals(decimals)
    scenario = Scenario("leaderboard", N, columns=2, clip=Real.of(Fraction(1, 10**15)), shown=shown)
    attack = consider(Designs(), channel_of(scenario)).build()
    assert isinstance(attack, DesignAttack)
    return attack


def real_score(labels: Any, u: Any, decimals: int | None) -> float:
    from sklearn.metrics import log_loss

    score = float(log_loss(labels, np.clip(u, CLIP, 1 - CLIP), labels=[0, 1]))
    return score if decimals is None else round(score, decimals)


def labelings(N: int) -> list[Any]:
    """Random, all 0, all 1, alternating, and 2 % positive."""
    coins = np.random.default_rng(N)
    kinds = coins.integers(0, 2, N), np.zeros(N), np.ones(N), np.arange(N) % 2, coins.random(N) < 0.02
    return [labels.astype(np.int64) for labels in kinds]


def end_to_end(N: int, decimals: int | None) -> dict[str, Any]:
    """Every query through scikit-learn."""
    attack = attack_for(N, decimals)
    truths = labelings(N)
    start = perf_counter()
    scores = [[real_score(labels, u, decimals) for labels in truths] for u in attack.queries()]
    asked = perf_counter()
    found = [attack.decode(column) for column in zip(*scores, strict=True)]
    done = perf_counter()
    wrong = sum(int((one != labels).sum()) for one, labels in zip(found, truths, strict=True))
    return row(N, decimals, attack, wrong, ask=asked - start, decode=(done - asked) / len(truths))


def by_transform(N: int, decimals: int | None, sample: int) -> dict[str, Any]:
    """Scores from the transform, errors at the bound; a sample of queries through scikit-learn."""
    attack = attack_for(N, decimals)
    (stage,) = attack.stages
    coins = np.random.default_rng(N)
    labels = coins.integers(0, 2, N)
    start = perf_counter()
    sums = stage.design.scores(labels).astype(float) * float(stage.design.unit)
    asked = perf_counter()
    error = attack.tolerance * 0.999  # the certified error in gaps, a hair less for float64
    found = attack.read(stage, sums + error * coins.choice([-1.0, 1.0], len(sums)))
    done = perf_counter()
    worst = max(
        (_miss(attack, stage, int(t), labels, decimals, sums) for t in coins.integers(0, len(sums), sample)),
        default=0.0,
    )
    wrong = int((found != labels).sum())
    result = row(N, decimals, attack, wrong, ask=asked - start, decode=done - asked)
    return {**result, "sampled": sample, "worst_seen": worst, "certified": attack.tolerance}


def _miss(attack: DesignAttack, stage: Any, t: int, labels: Any, decimals: int | None, sums: Any) -> float:
    """How far a real score of query t is off, in gaps."""
    score = Fraction(real_score(labels, attack.submission(stage, t), decimals))
    return abs(float((score * len(labels) - attack.constant(stage, t)) / attack.parameters.gap) - float(sums[t]))


def row(N: int, decimals: int | None, attack: DesignAttack, wrong: int, **seconds: float) -> dict[str, Any]:
    return {"N": N, "decimals": decimals, "queries": attack.parameters.queries, "wrong": wrong,
            "design": attack.parameters.design.name, "seconds": seconds}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks leaderboards", description=__doc__)
    parser.add_argument("--million", action="store_true", help="only the million labels")
    parser.add_argument("--sample", type=int, default=50, help="queries of a million labels scored for real")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    rows = [] if options.million else [end_to_end(*cell) for cell in LARGE]
    rows += [by_transform(*cell, options.sample) for cell in MILLION]
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        for one in rows:
            print(_text(one))
    return int(any(one["wrong"] for one in rows))


def _text(one: dict[str, Any]) -> str:
    shown = "float64" if one["decimals"] is None else f"d={one['decimals']}"
    seconds = ", ".join(f"{name} {value:.2f} s" for name, value in one["seconds"].items())
    sampled = (
        f", worst of {one['sampled']} real scores {one['worst_seen']:.3f} of {one['certified']:.3f} gaps"
        if "sampled" in one
        else ""
    )
    asked = f"N={one['N']:>9,} {shown:>8}: {one['queries']:>7,} queries, {one['wrong']} wrong"
    return f"{asked}, {seconds}{sampled} ({one['design']})"


if __name__ == "__main__":
    raise SystemExit(main())

from __future__ import annotations

import math
from collections import Counter

from dsl import loads
from dsl.checking.fields import FIELDS
from dsl.checking.metrics import METRICS
from dsl.checking.presets import PRESETS
from dsl.scenario import Decimals, FixedPoint, Percentage, Plain, Scenario, Several, Significant, Truncated
from planner.channel.channel import channel_of
from threatplan.campaign.generator import random_scenario
from threatplan.campaign.spec import of_seed

COUNT = 600


def scenarios() -> list[Scenario]:
    return [loads(random_scenario(1, index))[0] for index in range(COUNT)]


def test_a_scenario_depends_on_its_seed_and_number_alone():
    again = {task.index: task.source for task in of_seed(50, 3).sources({1, 2})}
    assert sorted(again) == [0, *range(3, 50)]
    assert all(again[index] == random_scenario(3, index) for index in again)
    assert of_seed(10, 3).header != of_seed(11, 3).header
    assert random_scenario(3, 7) != random_scenario(4, 7)


def test_the_whole_language_is_tried():
    made = scenarios()
    assert {type(one.noise).__name__ for one in made} >= {
        "NoNoise", "Bounded", "Uniform", "Gaussian", "Laplace", "Subexponential", "Multiplicative"
    }  # fmt: skip
    assert {type(one.phi).__name__ for one in made} == {"Arbitrary", "FixedPoint", "Ieee"}
    assert {one.phi.bits for one in made if hasattr(one.phi, "bits")} == {16, 32, 64}
    assert {one.scorer.name for one in made if one.scorer} == set(PRESETS)
    assert {type(one.shown) for one in made} == {Decimals, Percentage, Significant, Truncated, type(None)}
    assert all(len({getattr(one, field.slot) for one in made}) > 1 for field in FIELDS.values())
    assert any(one.clip is None for one in made)
    assert any(not one.noise.tau.exact for one in made if hasattr(one.noise, "tau"))


def test_other_metrics_are_drawn_where_they_are_known():
    made = [one for one in scenarios() if one.metric != "log_loss"]
    assert COUNT / 10 < len(made) < COUNT / 3
    assert {name for one in made for name in one.metrics} == {one.name for one in METRICS[1:]}
    together = [one for one in made if isinstance(one.metric, Several)]
    assert len(made) / 20 < len(together) < len(made) / 4
    assert {len(one.metrics) for one in together} == {2, 3}
    plain = [one for one in made if one.score_phi is None and not one.split and one.release == Plain()]
    assert not any(channel_of(one).unknown for one in plain)
    assert all(one.clip is None for one in made)
    edge = [2 * one.N * float(one.noise.tau.lo) for one in made if hasattr(one.noise, "tau")]
    assert sum(0.9 < share < 1.1 for share in edge) > len(edge) / 10


def test_boundaries_are_crowded():
    """Noise within a tenth of the edge 2 N tau = W, in a share that chance would not bring."""
    near = 0
    bounded = [one for one in scenarios() if hasattr(one.noise, "tau") and one.clip is not None]
    for one in bounded:
        reach = float(1 / one.clip.lo - 1)
        near += 0.9 < 2 * one.N * float(one.noise.tau.lo) / max(math.log(reach), 0.02) < 1.1
    assert near > len(bounded) / 10
    sizes = Counter(one.N for one in scenarios())
    assert sum(count for size, count in sizes.items() if size <= 24) > COUNT / 2
    assert any(isinstance(one.phi, FixedPoint) and one.K > 2 for one in scenarios())

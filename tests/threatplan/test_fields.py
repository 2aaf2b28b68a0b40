"""A field is done when everything knows it: reference, grammar, completion, fmt, JSON, checker, campaigns, explorer."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from dsl import loads, source
from dsl.checking.fields import FIELDS
from dsl.checking.laws import LAWS
from dsl.checking.spelling import field_value
from planner import plan
from planner.channel.channel import channel_of
from threatplan.campaign.generator import NOISES, random_scenario
from threatplan.language import grammar
from threatplan.verify import check
from tui.fields import FIELDS as CONTROLS
from tui.noise_control import LAWS as STEPPED

ROOT = Path(__file__).parents[2]
NO_CONTROL = {
    "positives": "a guess says as much",
    "find": "written beside a part that is scored",
    "score_phi": "a preset sets it",
    "columns": "a preset sets it",
    "accounts": "written by hand: it counts where a board remembers",
    "response": "written by hand: it is drawn once, not turned",
    "release": "written by hand: the explorer turns what attackers see of one score",
    "platform": "it sets the decimals, which have one",
    "summation": "a preset sets it",
    "renormalises": "a preset sets it",
    "checks": "a preset sets it",
    "predictions": "the metric says it",
    "abstain": "a preset sets it",
    "reduction": "written by hand: it says which of its sums a scorer shows, and turns no attack on or off",
}
"""Fields without a control in the explorer, where the source is edited by hand, and why."""

SET = {
    "N": "50", "K": "3", "guess": "90%", "positives": "5", "public": "30%", "find": "labels_and_split",
    "metric": "brier", "predictions": "probability", "abstain": "yes", "reduction": "sum",
    "phi": "float32", "score_phi": "float32",
    "noise": "bounded(1e-6)", "response": "2", "release": "ladder(0.01, ln(2))", "decimals": "4", "clip": "1e-6",
    "columns": "2",
    "scorer": "kaggle", "platform": "codabench",
    "summation": "sequential", "renormalises": "yes", "checks": "no", "queries": "9", "accounts": "3", "time": "exponential",
    "adaptive": "no", "goal": "80%", "confidence": "95%",
}  # fmt: skip
"""Each field at another value than its default."""


BESIDE = {
    "predictions": {"metric": "metric = mse"},
    "abstain": {"metric": "metric = accuracy"},
    "find": {"public": "public = 30%"},
}
"""Fields that mean something beside certain others alone."""


@cache
def drawn() -> str:
    return "".join(random_scenario(5, index) for index in range(400))


def test_every_field_is_tried():
    assert set(SET) == set(FIELDS)
    assert set(NO_CONTROL) <= set(FIELDS)


@pytest.mark.parametrize("field", FIELDS)
def test_everything_knows_the_field(field):
    assert f"| `{field}`" in (ROOT / "docs/language.md").read_text(encoding="utf-8")
    assert field in grammar.text()
    assert field in NO_CONTROL or any(one.target == field for one in CONTROLS)
    assert f"{field} {FIELDS[field].operator} " in drawn()


@pytest.mark.parametrize("field", FIELDS)
def test_what_is_set_is_written_planned_and_checked(field):
    beside = BESIDE.get(field, {})
    lines = (
        {"N": "N = 40", "decimals": "decimals = 4"} | beside | {field: f"{field} {FIELDS[field].operator} {SET[field]}"}
    )
    if field == "platform":  # a line of its own goes before what the platform fills in
        del lines["decimals"]
    (scenario,) = loads(f"scenario board {{ {'; '.join(lines.values())} }}")
    (again,) = loads(source(scenario))
    assert again == scenario
    slot = FIELDS[field].slot
    others = "; ".join(["N = 40", f"decimals = {3 if field == 'decimals' else 4}", *beside.values()])
    (plain,) = loads(f"scenario board {{ {others} }}")
    assert getattr(scenario, slot) != getattr(plain, slot)
    entry = json.loads(json.dumps(plan(scenario).to_json()))
    assert slot in entry["scenario"] or field == "scorer"
    assert check(entry).faults == ()
    assert channel_of(scenario) != channel_of(plain)


# -- laws of noise --------------------------------------------------------------------------------------


BOARDS = (
    "N = 40; clip = 1e-9",
    "N = 40; clip = 1e-9; queries <= 2",
    "N = 200; clip = 1e-3; adaptive = no; decimals = 2; queries <= 2",
    "N = 9; K = 3; clip = 1e-9; scorer = keras",
    "N = 40; metric = accuracy; goal = 90%",
)


@pytest.mark.parametrize("law", LAWS)
def test_everything_knows_the_law(law):
    """Written as it was read, drawn by campaigns, stepped by the explorer, and verified where it counts."""
    numbers = ", ".join(("1/100", "1/10")[: LAWS[law].parameters])
    for board in BOARDS:
        (scenario,) = loads(f"scenario a {{ {board}; noise = {law}({numbers}) }}")
        (again,) = loads(f"scenario a {{ {board}; noise = {field_value('noise', scenario.noise)} }}")
        assert again == scenario
        assert check(json.loads(json.dumps(plan(scenario).to_json()))).faults == (), board
    assert set(NOISES) == set(STEPPED) == {"none", *LAWS}

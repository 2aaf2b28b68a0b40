"""The public API: what it offers, loaded on first use."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

import threatplan as tp

ROOT = Path(__file__).parent.parent.parent


def test_every_name_leads_somewhere() -> None:
    for name in tp.__all__:
        assert getattr(tp, name) is not None
    assert dir(tp) == tp.__all__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'plann'"):
        tp.plann  # noqa: B018


def test_the_version_is_that_of_the_package() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert tp.__version__ == declared


def test_from_a_file_to_the_labels(tmp_path: Path) -> None:
    path = tmp_path / "mine.threat"
    path.write_text("scenario mine { N = 40; clip = 1e-15; decimals = 6 }")
    (scenario,) = tp.load(path)
    report = tp.plan(scenario)
    hidden = np.random.default_rng(1).integers(0, 2, 40)

    def score(u: np.ndarray) -> float:  # type: ignore[type-arg]
        p = (u[:, 1] if u.ndim == 2 else u).astype(float).clip(1e-15, 1 - 1e-15)
        return round(float(-np.log(np.where(hidden == 1, p, 1 - p)).mean()), 6)

    assert report.best is not None
    assert (report.best.build().recover(score) == hidden).all()
    assert tp.simulate(report, trials=2).exact_trials == 2


def test_faults_are_one_exception_with_places() -> None:
    with pytest.raises(tp.ThreatError) as caught:
        tp.loads("scenario s { N = 0; quries <= 3 }")
    assert len(caught.value.diagnostics) == 2

"""The library models against the libraries themselves, where these are installed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from backends.models import MODELS
from dsl.scenario import Ieee, Scenario

N = 2000


def model(name: str, bits: int = 32, K: int = 2):
    return MODELS[name](Scenario(name="test", N=N, K=K, phi=Ieee(bits)))


def case(K: int = 2) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(5)
    margins = draw.normal(size=(N, K)) * 20
    return draw.integers(K, size=N), margins


@pytest.mark.library("torch")
@pytest.mark.parametrize("bits", [32, 64])
def test_torch(bits):
    import torch

    labels, margins = case()
    u = 1 / (1 + np.exp(-margins[:, 0]))
    u[:2] = 0, 1
    kind = torch.float32 if bits == 32 else torch.float64
    loss = torch.nn.functional.binary_cross_entropy(torch.tensor(u, dtype=kind), torch.tensor(labels, dtype=kind))
    assert model("torch_bce", bits)(labels, u) == pytest.approx(loss.item(), rel=3e-6 if bits == 32 else 1e-13)


@pytest.mark.library("keras")
def test_keras(monkeypatch):
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    import keras

    labels, margins = case()
    u = (1 / (1 + np.exp(-margins[:, 0]))).astype(np.float32)
    loss = float(keras.losses.BinaryCrossentropy()(labels.astype("float32"), u))
    assert model("keras")(labels, u) == pytest.approx(loss, rel=3e-6)
    three, _ = case(3)
    rows = np.random.default_rng(6).random((N, 3)).astype(np.float32)
    loss = float(keras.losses.CategoricalCrossentropy()(np.eye(3, dtype="float32")[three], rows))
    assert model("keras", K=3)(three, rows) == pytest.approx(loss, rel=3e-6)


@pytest.mark.library("xgboost")
@pytest.mark.parametrize("K", [2, 3])
def test_xgboost(K):
    import xgboost

    labels, margins = case(K)
    multi = {"objective": "multi:softprob", "num_class": K, "eval_metric": "mlogloss"}
    two = {"objective": "binary:logistic", "eval_metric": "logloss"}
    base = margins.astype(np.float32) if K > 2 else margins[:, 0].astype(np.float32)
    data = xgboost.DMatrix(np.zeros((N, 1)), label=labels, base_margin=base)
    booster = xgboost.train(multi if K > 2 else two, data, 0)
    loss = float(booster.eval(data).split(":")[1])
    assert model("xgboost", K=K)(labels, booster.predict(data)) == pytest.approx(loss, rel=1e-7)


@pytest.mark.library("lightgbm")
def test_lightgbm():
    import lightgbm

    labels, margins = case()
    data = lightgbm.Dataset(np.zeros((N, 1)), label=labels, init_score=margins[:, 0], free_raw_data=False)
    seen: dict = {}
    still = {"objective": "binary", "metric": "binary_logloss", "verbose": -1, "min_data_in_leaf": 10**6}
    lightgbm.train(still, data, 1, valid_sets=[data], callbacks=[lightgbm.record_evaluation(seen)])
    u = 1 / (1 + np.exp(-margins[:, 0]))
    # 1 - u near 1 keeps few digits, and the library's exp need not be numpy's
    assert math.isclose(model("lightgbm", 64)(labels, u), seen["training"]["binary_logloss"][0], rel_tol=1e-8)

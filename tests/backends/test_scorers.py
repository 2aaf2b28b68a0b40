from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from gmpy2 import mpq

from backends.loader import AnswerError, ScorerError, load_scorer
from backends.models import MODELS
from backends.scorers import backend_of, make_scorer, sklearn_scorer, user_scorer
from dsl.numbers import Real
from dsl.scenario import (
    Arbitrary,
    Bounded,
    Decimals,
    FixedPoint,
    Ieee,
    Multiplicative,
    Scenario,
    Scorer,
)

LABELS = np.array([0, 1, 1, 0])
QUERY = np.array([0.25, 0.5, 0.75, 0.125])
LOSS = -math.log(0.75 * 0.5 * 0.75 * 0.875) / 4


def rng():
    return np.random.default_rng(0)


def scenario(**named) -> Scenario:
    return Scenario(**({"name": "test", "N": 4} | named))


@pytest.mark.parametrize(
    ("phi", "backend", "kind"),
    [(Arbitrary(), "exact", arb), (FixedPoint(20, 20), "fixed", Fraction), (Ieee(64), "ieee", float)],
)
def test_precision_chooses_the_arithmetic(phi, backend, kind):
    assert backend_of(scenario(phi=phi)) == backend
    score = make_scorer(scenario(phi=phi), rng())(LABELS, QUERY)
    assert isinstance(score, kind)
    assert float(score) == pytest.approx(LOSS, abs=1e-6)


@pytest.mark.parametrize("phi", [Arbitrary(), FixedPoint(20, 40), Ieee(64)])
def test_noise_then_digits(phi):
    tau = Fraction(1, 50)
    noisy = scenario(phi=phi, noise=Bounded(Real.of(tau)), shown=Decimals(3))
    score = make_scorer(noisy, rng(), mode="plus")(LABELS, QUERY)
    assert float(score) == round(LOSS + 0.02, 3)


@pytest.mark.parametrize("mode", ["plus", "minus"])
def test_float_noise_never_leaves_its_bound(mode):
    """Rounding LOSS + tau to a float must not add to tau."""
    for denominator in range(3, 60):
        tau = Fraction(1, denominator)
        plain = make_scorer(scenario(), rng())(LABELS, QUERY)
        noisy = make_scorer(scenario(noise=Bounded(Real.of(tau))), rng(), mode=mode)(LABELS, QUERY)
        assert abs(Fraction(noisy) - Fraction(plain)) <= tau
        assert abs(Fraction(noisy) - Fraction(plain)) > tau - Fraction(1, 10**12)


def test_multiplicative_noise_scales_the_score():
    noisy = scenario(noise=Multiplicative(Real.of(Fraction(1, 10))))
    assert make_scorer(noisy, rng(), mode="minus")(LABELS, QUERY) == pytest.approx(0.9 * LOSS)


def test_rival_adversary_sees_clipped_predictions():
    """Row 0 looks extreme, but the clip leaves it closer than row 1: the push is towards flipping row 0."""
    u = np.array([1e-30, 0.2, 0.5, 0.5])
    noise = Bounded(Real.of(Fraction(1, 10**6)))
    clipped = scenario(clip=Real.of(Fraction(2, 5)), noise=noise)
    plain = make_scorer(scenario(clip=Real.of(Fraction(2, 5))), rng())
    labels = np.array([1, 0, 0, 0])
    pushed = make_scorer(clipped, rng(), mode="rival")(labels, u)
    assert pushed < plain(labels, u)  # flipping row 0 lowers the loss


def test_override_runs_another_arithmetic():
    assert isinstance(make_scorer(scenario(), rng(), backend="exact")(LABELS, QUERY), arb)
    with pytest.raises(ValueError, match="exact, fixed, ieee"):
        make_scorer(scenario(), rng(), backend="quantum")


# -- scikit-learn ------------------------------------------------------------------------------------


@pytest.mark.library("sklearn")
@pytest.mark.parametrize("N", [1, 2, 300])
@pytest.mark.parametrize("K", [2, 3, 10])
def test_sklearn_agrees_with_the_model(N, K):
    draw = rng()
    u = draw.dirichlet(np.ones(K), size=N) if K > 2 else draw.random(N)
    labels = draw.integers(K, size=N)
    clipped = scenario(N=N, K=K, clip=Real.of(Fraction(1, 2**52)))
    assert sklearn_scorer(clipped, rng())(labels, u) == pytest.approx(make_scorer(clipped, rng())(labels, u), rel=1e-14)


@pytest.mark.library("sklearn")
def test_sklearn_old_clip_and_one_class():
    old = scenario(N=2, clip=Real.of(Fraction(1, 10**15)))
    assert sklearn_scorer(old, rng())(np.array([1, 1]), np.array([0.0, 1e-30])) == pytest.approx(-math.log(1e-15))


# -- library models ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "at_zero", "at_one"),
    [
        ("torch_bce", 100.0, 100.0),
        ("keras", 16.118095, 15.942385),
        ("xgboost", 36.841362, 36.841362),
        ("lightgbm", 34.538776, 34.538776),
        ("kaggle", 34.538776, -math.log(1 - (1 - 1e-15))),
    ],
)
def test_caps(name, at_zero, at_one):
    model = MODELS[name](scenario(phi=Ieee(32)))
    assert model(np.array([1]), np.array([0.0])) == pytest.approx(at_zero, rel=1e-6)
    assert model(np.array([0]), np.array([1.0])) == pytest.approx(at_one, rel=1e-6)


def test_a_preset_is_run_by_its_model():
    clamp = Real.of(Fraction(math.exp(-100)))
    torch = make_scorer(scenario(scorer=Scorer("torch_bce"), phi=Ieee(32), clip=clamp), rng())
    assert torch.name == "torch_bce"
    assert torch(np.array([1, 1, 1, 1]), np.zeros(4)) == 100.0


def test_a_preset_told_not_to_clip_is_another_scorer():
    bare = make_scorer(scenario(scorer=Scorer("xgboost"), clip=None), rng())
    assert bare(np.array([1, 1]), np.array([0.0, 0.5])) == math.inf


def test_kaggle_and_keras_divide_before_they_clip():
    u = np.array([[1e-16, 1e-16]])
    for name in ("kaggle", "keras"):
        assert MODELS[name](scenario(phi=Ieee(64)))(np.array([0]), u) == pytest.approx(math.log(2))


# -- users' own --------------------------------------------------------------------------------------


def test_load_scorer(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("def loss(labels, u):\n    return 1\nvalue = 3\n")
    (tmp_path / "broken.py").write_text("1/0\n")
    monkeypatch.chdir(tmp_path)
    assert load_scorer("mine:loss")(None, None) == 1
    name, function = user_scorer("mine:loss")
    assert (name, function(LABELS, QUERY)) == ("mine:loss", 1.0)
    for text, words in [
        ("mine", "package.module:function"),
        ("mine:lss", "it has loss"),
        ("mine:value", "int, not a function"),
        ("nowhere.at_all:f", "no module 'nowhere'"),
        ("broken:f", "ZeroDivisionError"),
    ]:
        with pytest.raises(ScorerError, match=words):
            load_scorer(text)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "NoneType"),
        ("0.5", "str"),
        (b"0.5", "bytes"),
        (np.str_("0.5"), "str"),
        (True, "bool"),
        (np.bool_(True), "bool"),
        (1 + 2j, "complex"),
        (np.complex128(0.5), "complex"),
        ([1, 2], "list"),
        (np.array([0.5]), r"ndarray of shape \(1,\)"),
        (np.zeros((2, 2)), r"ndarray of shape \(2, 2\)"),
    ],
)
def test_a_scorer_that_answers_nonsense(answer, words):
    with pytest.raises(AnswerError, match=f"answered with {words}, not with a number"):
        user_scorer(lambda labels, u: answer)[1](LABELS, QUERY)


@pytest.mark.parametrize("nan", [math.nan, np.float32("nan"), np.array(math.nan), Decimal("nan"), arb("nan")])
def test_nan_is_no_score(nan):
    with pytest.raises(AnswerError, match="nan, which is no score"):
        user_scorer(lambda labels, u: nan)[1](LABELS, QUERY)


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        (2, 2.0),
        (np.int64(2), 2.0),
        (np.float32(0.5), 0.5),
        (np.array(0.5), 0.5),
        (np.longdouble(0.5), 0.5),
        (Decimal("0.5"), 0.5),
        (arb(0.5), 0.5),
        (Fraction(1, 3), Fraction(1, 3)),
        (mpq(1, 3), Fraction(1, 3)),
        (math.inf, math.inf),
    ],
)
def test_every_real_number_is_a_score(answer, score):
    found = user_scorer(lambda labels, u: answer)[1](LABELS, QUERY)
    assert (found, type(found)) == (score, type(score))


def test_a_scorer_is_a_function():
    with pytest.raises(ScorerError, match="not int"):
        user_scorer(3)

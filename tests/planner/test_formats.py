"""The formats of predictions and of scores are two things: what each decides, and what real libraries show of it."""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx

from dsl import loads
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Bounded, Decimals, FixedPoint, Ieee, Scenario
from planner import plan
from planner.channel.channel import channel_of
from planner.channel.errors import float_error
from planner.channel.formats import format_of
from planner.limits.counting import fewest_answers
from planner.model import Verdict
from planner.numerics.reals import ball
from tests.planner.scenarios import CLIP


def scenario(body: str) -> Scenario:
    (one,) = loads(f"scenario x {{ {body} }}")
    return one


# -- a score is finer than its submission --------------------------------------------------------------

BEATEN = {
    "sklearn 1.8, float32": 'N = 36; scorer = sklearn("1.8"); phi = float32; queries <= 1',
    "sklearn 1.8, float16": 'N = 20; scorer = sklearn("1.8"); phi = float16; queries <= 1',
    "sklearn 1.1, float32": 'N = 36; scorer = sklearn("1.1"); phi = float32; queries <= 1',
    "xgboost": "N = 36; scorer = xgboost; decimals = full; queries <= 1",
}


@pytest.mark.parametrize("body", BEATEN.values(), ids=BEATEN)
def test_scores_finer_than_submissions_are_not_called_impossible(body):
    """One query recovers these labels from the real libraries, whose scores are doubles."""
    assert plan(scenario(body)).verdict is not Verdict.IMPOSSIBLE


@pytest.mark.parametrize(("bits", "labels"), [(16, 17), (32, 33), (64, 65)])
def test_counting_counts_the_scores_format(bits, labels):
    """As many answers as the score's format has values, whatever that of predictions."""
    for phi in (16, 32, 64):
        one = Scenario(name="x", N=labels, phi=Ieee(phi), score_phi=Ieee(bits), confidence=Fraction(1), queries=1)
        assert fewest_answers(channel_of(one)) == (2**bits, f"{bits}-bit scores")
        assert plan(one).verdict is Verdict.IMPOSSIBLE


def test_one_query_through_scikit_learn_beats_the_count_of_the_submissions_format():
    """A float16 submission has 2^16 values; its score in float64 tells 2^18 labelings apart."""
    pytest.importorskip("sklearn")
    from backends.scorers import sklearn_scorer

    one = replace(scenario(BEATEN["sklearn 1.8, float16"]), N=18)
    score = sklearn_scorer(one, np.random.default_rng(0))
    generator = np.random.default_rng(5)
    query = (1 / (1 + np.exp(-generator.uniform(-6, 6, one.N)))).astype(np.float16).astype(np.float64)
    charges = np.array([[score(np.full(one.N, k), np.where(np.arange(one.N) == i, query, 0.5)) for k in (0, 1)]
                        for i in range(one.N)]) * one.N - (one.N - 1) * np.log(2)  # fmt: skip
    sums = np.array([0.0])
    for low, high in charges:
        sums = np.concatenate([sums + low, sums + high])  # label i is bit i of a sum's place
    order = np.argsort(sums)
    for seed in range(8):
        labels = np.random.default_rng(seed).integers(0, 2, one.N)
        at = np.searchsorted(sums[order], one.N * score(labels, query))
        near = order[max(at - 1, 0) : at + 1]
        best = min(near, key=lambda code: abs(sums[code] - one.N * score(labels, query)))
        assert [int(best) >> i & 1 for i in range(one.N)] == labels.tolist()


def test_the_installed_scikit_learn_adds_up_in_the_submissions_format_from_1_9():
    """What the preset of that version says of `score_phi`; older ones are said to add up in float64."""
    sklearn = pytest.importorskip("sklearn")
    version = tuple(map(int, sklearn.__version__.split(".")[:2]))
    labels = np.random.default_rng(0).integers(0, 2, 1000)
    for dtype in (np.float16, np.float32):
        p = np.random.default_rng(1).uniform(0.05, 0.95, 1000).astype(dtype)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from sklearn.metrics import log_loss

            score = float(log_loss(labels, p))
        assert (float(dtype(score)) == score) is (version >= (1, 9))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_certified_attacks_keep_their_promise_through_scikit_learn(dtype):
    """Narrow submissions, wide scores: what is planned for 1.8 is recovered from the real log_loss."""
    pytest.importorskip("sklearn")
    from backends.simulate import simulate

    report = plan(scenario(f'N = 40; scorer = sklearn("1.8"); phi = {dtype}; columns = 2'))
    for attack in [one.attack for one in report.candidates if one.certified is not None]:
        run = simulate(report, attack=attack, trials=2, scorer="sklearn", seed=3)
        assert run.wrong_labels == 0, attack


# -- what each of the two decides ----------------------------------------------------------------------


def test_the_sum_is_rounded_in_the_scores_format_and_logarithms_in_the_coarser():
    """XGBoost takes logarithms in float32 and adds them in double: the error is that of eight float32 roundoffs."""
    mixed = channel_of(Scenario(name="x", N=1000, phi=Ieee(32), score_phi=Ieee(64), clip=CLIP))
    narrow = channel_of(Scenario(name="x", N=1000, phi=Ieee(32), clip=CLIP))
    wide = channel_of(Scenario(name="x", N=1000, clip=CLIP))
    logarithms = 8 * ball(format_of(Ieee(32)).unit)
    assert logarithms < float_error(mixed) < logarithms * ball(Fraction(1001, 1000))
    assert float_error(wide) < float_error(mixed) < float_error(narrow)
    swapped = channel_of(Scenario(name="x", N=1000, score_phi=Ieee(32), clip=CLIP))
    assert float(float_error(swapped)) == float(float_error(narrow))


def test_what_can_be_written_is_the_submissions_affair():
    """Reach, clip and grid do not see the score's format."""
    for score in (Ieee(16), Ieee(32), Ieee(64)):
        one = channel_of(Scenario(name="x", N=10, phi=Ieee(32), score_phi=score))
        with ctx.workprec(100):
            assert float(one.reach()) == float(channel_of(Scenario(name="x", N=10, phi=Ieee(32))).reach())
            assert one.metric.shows_infinity(one)
            assert not one.span().is_finite()  # nothing that may show infinity is confined


def test_a_fixed_point_scores_grid_and_range_are_the_scores():
    coarse = Scenario(name="x", N=8, phi=FixedPoint(8, 30), score_phi=FixedPoint(8, 4), clip=CLIP)
    assert float(channel_of(coarse).errors(1).constant()) == 2**-5
    assert plan(coarse).verdict is Verdict.FEASIBLE
    tight = plan(Scenario(name="x", N=1, phi=FixedPoint(20, 20), score_phi=FixedPoint(0, 20), clip=CLIP))
    (fits,) = (one for one in tight.best.certified.certificate.inequalities if "range of the format" in one.name)
    assert fits.right.lo == "1"


def test_formats_of_two_kinds_bound_no_error():
    for phi, score in ((Arbitrary(), Ieee(64)), (Ieee(64), Arbitrary()), (FixedPoint(8, 8), Ieee(64))):
        one = Scenario(name="x", N=8, phi=phi, score_phi=score, clip=CLIP, noise=Bounded(Real.of(Fraction(1, 10**6))))
        assert not channel_of(one).errors(1).constant().is_finite()
        assert plan(one).verdict is Verdict.UNKNOWN


def test_thresholds_are_not_read_from_a_coarser_score():
    """0.7 in float32 is off by more than a float64 reader reckons with."""
    one = Scenario(name="x", N=60, score_phi=Ieee(32), clip=CLIP, shown=Decimals(5), columns=2)
    fields = {reason.field for candidate in plan(one).candidates for reason in candidate.reasons
              if candidate.attack in ("threshold", "dither")}  # fmt: skip
    assert "score_phi" in fields


# -- predictions outside [0, 1] ------------------------------------------------------------------------

UNCHECKED = {"xgboost": "N = 20; scorer = xgboost", "lightgbm": "N = 20; scorer = lightgbm"}
DEFENCES = ("noise = bounded(1)", "noise = gaussian(1)", "decimals = 1", "decimals = 1; adaptive = no", "noise = none")


@pytest.mark.parametrize("defence", DEFENCES)
@pytest.mark.parametrize("body", UNCHECKED.values(), ids=UNCHECKED)
def test_nothing_is_impossible_where_a_row_may_pay_any_amount(body, defence):
    """XGBoost's and LightGBM's metrics take raw predictions: those outside [0, 1] outweigh any noise and any rounding."""
    report = plan(scenario(f"{body}; {defence}; queries <= 19; confidence = 99%"))
    assert not report.channel.span().is_finite()
    assert report.verdict is not Verdict.IMPOSSIBLE
    assert all(limit.queries is None for limit in report.limits if limit.id != "I1")


@pytest.mark.parametrize("name", UNCHECKED)
def test_predictions_outside_the_unit_interval_beat_noise_through_the_models_of_libraries(name):
    """Noise of at most 1 hides one label of 20 from predictions within [0, 1], and from no others."""
    from backends.models import MODELS

    one = scenario(UNCHECKED[name])
    score = MODELS[name](one)
    labels = np.random.default_rng(2).integers(0, 2, one.N)
    for i, label in enumerate(labels):
        scores = [score(np.where(np.arange(one.N) == i, k, labels), np.where(np.arange(one.N) == i, 1e38, 0.5))
                  for k in (0, 1)]  # fmt: skip
        assert abs(scores[0] - scores[1]) > 2 * 1
        assert label in (0, 1)


def test_a_check_or_a_two_sided_clip_bounds_a_row():
    for body in ("scorer = xgboost; checks = yes", "clip = 1e-15", "clip = 1e-15; checks = no", "scorer = keras"):
        report = plan(scenario(f"N = 20; noise = bounded(10); {body}"))
        assert report.verdict is Verdict.IMPOSSIBLE, body
    for body in ("phi = 64; checks = no", "phi = fixed(4, 4); columns = 2; checks = no"):
        assert plan(scenario(f"N = 20; noise = bounded(10); {body}")).verdict is not Verdict.IMPOSSIBLE


def test_what_the_installed_scikit_learn_refuses_is_what_its_preset_says():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.metrics import log_loss

    version = ".".join(sklearn.__version__.split(".")[:2])
    checks = scenario(f'N = 2; scorer = sklearn("{version}")').checks
    if checks:
        with pytest.raises(ValueError, match="greater than 1"):
            log_loss([0, 1], np.array([1.5, 0.3]))
    else:
        assert log_loss([0, 1], np.array([1.5, 0.3])) < 20


# -- the least and the largest that a score can be -----------------------------------------------------


def test_the_least_score_of_a_one_sided_clip_is_below_the_clip():
    """LightGBM charges 1.1e-16 for a prediction just below 1, far below its clip of 1e-15."""
    from backends.models import MODELS

    one = scenario("N = 10; scorer = lightgbm; checks = yes")
    labels, p = np.ones(10, dtype=int), np.ones(10)
    p[0] = 1 - 2.0**-53
    shown = MODELS["lightgbm"](one)(labels, p)
    assert 0 < shown < float(one.clip.lo)
    with ctx.workprec(100):
        channel = channel_of(one)
        assert channel.metric.least_loss(channel) <= ball(Fraction(shown))


def test_the_least_score_where_logarithms_are_clipped_is_that_of_the_least_float():
    from backends.models import MODELS

    one = scenario("N = 10; scorer = torch_bce")
    p = np.zeros(10)
    p[0] = 2.0**-130
    shown = MODELS["torch_bce"](one)(np.zeros(10, dtype=int), p)
    assert 0 < shown < 2.0**-130
    with ctx.workprec(100):
        channel = channel_of(one)
        assert channel.metric.least_loss(channel) <= ball(Fraction(shown))


@pytest.mark.parametrize("phi", [Arbitrary(), FixedPoint(8, 20)])
def test_a_one_sided_clip_leaves_a_prediction_of_1(phi):
    channel = channel_of(Scenario(name="x", N=4, K=3, columns=3, phi=phi, clip=Real.of(Fraction(1, 10))))
    with ctx.workprec(100):
        both = float(replace(channel, clip_of="prediction").span())
        one = float(replace(channel, clip_of="charged").span())
    assert both == pytest.approx(np.log(9))
    assert one == pytest.approx(np.log(10))


def test_exact_scores_of_a_one_sided_clip_can_be_as_small_as_one_likes():
    channel = replace(channel_of(Scenario(name="x", N=4, phi=Arbitrary(), clip=CLIP)), clip_of="charged")
    assert channel.metric.least_loss(channel) is None


@pytest.mark.parametrize("attack", ["zero", "block", "design"])
def test_a_sum_that_overflows_its_format_is_no_plan(attack):
    """Added up in float16, N = 94,502 rows at ln 2 each are more than 65,504: every honest score is infinite."""
    few, many = (
        plan(Scenario(name="x", N=N, phi=phi, score_phi=Ieee(16), goal=Fraction(1, N), columns=2))
        for N, phi in ((1000 if attack == "zero" else 4, Ieee(16)), (95_000, Ieee(64)))
    )
    assert next(one for one in few.candidates if one.attack == attack).certified is not None
    assert next(one for one in many.candidates if one.attack == attack).certified is None


def test_zero_tests_through_a_sum_in_float16_never_read_an_overflow_as_a_hit():
    from planner.certify import certify

    small = plan(Scenario(name="x", N=60_000, phi=Ieee(16), goal=Fraction(1, 60_000), adaptive=False))
    zero = next(one for one in small.candidates if one.attack == "zero").certified.certificate.parameters
    large = channel_of(Scenario(name="x", N=94_502, phi=Ieee(16), goal=Fraction(1, 94_502), adaptive=False))
    refused = certify(large, replace(zero, rows=94_502))
    assert not refused.holds
    assert any("range of the format" in one.name and not one.holds for one in refused.inequalities)


def test_noise_that_overflows_is_not_read_as_a_hit():
    for noise, feasible in ((Bounded(Real.of(10**3)), True), (Bounded(Real.of(10**5)), False)):
        report = plan(Scenario(name="x", N=8, phi=Ieee(16), noise=noise))
        zero = next(one for one in report.candidates if one.attack == "zero")
        assert (zero.certified is not None) is feasible


def test_limits_are_silent_where_a_finite_sum_may_show_as_infinity():
    """One row more or less decides whether float16 overflows: no noise hides that."""
    for N, excluded in ((200, True), (20_000, False)):
        one = Scenario(name="x", N=N, phi=Ieee(16), clip=Real.of(Fraction(1, 1000)), noise=Bounded(Real.of(1000)))
        assert any(limit.excludes_all for limit in plan(one).limits) is excluded

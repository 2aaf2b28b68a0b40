from dataclasses import replace
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

import dsl
from dsl import scenario as kinds
from dsl.numbers import Real

exact = st.fractions(min_value=Fraction(1, 10**20), max_value=10**6, max_denominator=10**20)
reals = st.builds(lambda low, extra: Real(low, low + extra), exact, exact | st.just(Fraction(0)))
below_half = st.fractions(min_value=Fraction(1, 10**20), max_value=Fraction(49, 100), max_denominator=10**20)
noises = st.one_of(
    st.just(kinds.NoNoise()),
    st.builds(kinds.Bounded, reals),
    st.builds(lambda a, b: kinds.Uniform(Real.of(-a), b), exact, reals),
    st.builds(kinds.Gaussian, reals),
    st.builds(kinds.Laplace, reals),
    st.builds(kinds.Subexponential, reals, reals),
    st.builds(lambda share: kinds.Multiplicative(Real.of(share)), below_half),
)
precisions = st.one_of(
    st.just(kinds.Arbitrary()),
    st.builds(kinds.FixedPoint, st.integers(0, 1000), st.integers(1, 1000)),
    st.sampled_from([kinds.Ieee(16), kinds.Ieee(32), kinds.Ieee(64)]),
)
expectations = st.one_of(
    st.builds(
        kinds.ExpectMeasure,
        st.sampled_from(["queries", "exposure", "m", "bits"]),
        st.sampled_from(["<=", ">=", "<", ">", "=="]),
        reals,
    ),
    st.just(kinds.ExpectVerdict("feasible")),
)
titles = st.none() | st.text(st.characters(blacklist_categories=["Cs", "Cc"]) | st.sampled_from('"\\\n\t#'))


@st.composite
def scenarios(draw: st.DrawFn) -> dsl.Scenario:
    """Any scenario that a program could make."""
    classes = draw(st.integers(2, 20))
    phi = draw(precisions)
    metric = draw(st.sampled_from(["log_loss", "brier"])) if classes == 2 else "log_loss"
    return dsl.Scenario(
        name="made",
        N=draw(st.integers(1, 10**18)),
        K=classes,
        phi=phi,
        score_phi=draw(st.none() | precisions.filter(lambda score: type(score) is type(phi))),
        noise=draw(noises),
        shown=draw(
            st.none()
            | st.builds(kinds.Decimals, st.integers(0, 99))
            | st.builds(kinds.Truncated, st.integers(0, 99))
            | st.builds(kinds.Significant, st.integers(1, 9))
        ),
        clip=draw(st.none() | st.builds(Real.of, below_half)) if metric == "log_loss" else None,
        columns=1 if classes == 2 and draw(st.booleans()) else classes,
        scorer=draw(
            st.sampled_from([None, kinds.Scorer("kaggle"), kinds.Scorer("sklearn"), kinds.Scorer("sklearn", "1.2")])
        ),
        summation=draw(st.sampled_from(kinds.Summation)),
        renormalises=draw(st.booleans()),
        checks=draw(st.booleans()),
        metric=metric,
        queries=draw(st.none() | st.integers(0, 10**20)),
        time=draw(st.sampled_from(kinds.Time)),
        adaptive=draw(st.booleans()),
        goal=draw(st.fractions(min_value=Fraction(1, 1000), max_value=1)),
        confidence=draw(st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(999, 1000))),
        expectations=tuple(draw(st.lists(expectations, max_size=3))),
        title=draw(titles),
    )


@settings(deadline=None)
@given(scenarios())
def test_what_is_written_means_the_scenario(scenario: dsl.Scenario) -> None:
    text = dsl.source(scenario)
    assert dsl.loads(text) == [scenario]
    assert dsl.format_text(text) == text


def test_formulas_are_kept_while_they_hold() -> None:
    (scenario,) = dsl.loads("scenario a { N = 100; queries <= N/5; expect queries <= N/2 }")
    assert "queries <= N/5" in dsl.source(scenario)
    assert "expect queries <= N/2" in dsl.source(scenario)
    edited = replace(scenario, N=70)
    assert "queries <= 20" in dsl.source(edited)
    assert "expect queries <= 50" in dsl.source(edited)
    assert dsl.loads(dsl.source(edited)) == [edited]


def test_what_a_preset_fills_in_is_not_written() -> None:
    (scenario,) = dsl.loads("scenario a { N = 100; scorer = torch_bce }")
    assert dsl.source(scenario) == "scenario a {\n    N      = 100\n    scorer = torch_bce\n}\n"


def test_a_point_is_given_a_name_that_is_one() -> None:
    (scenario,) = dsl.loads("scenario a { sweep N = 3..4 }")
    point = next(scenario.points())
    assert dsl.loads(dsl.source(point)) == [replace(point, name="a_N_3")]

import struct
from fractions import Fraction

import pytest

import dsl
from dsl.checking.presets import PRESETS
from dsl.numbers import Real
from dsl.scenario import Arbitrary, Decimals, FixedPoint, Ieee, Significant, Summation


def board(*lines: str) -> dsl.Scenario:
    (scenario,) = dsl.loads("scenario board {\nN = 1000\n" + "\n".join(lines) + "\n}", "board.threat")
    return scenario


@pytest.mark.parametrize(
    ("text", "phi"),
    [
        ("64", FixedPoint(32, 31)),
        ("17", FixedPoint(8, 8)),
        ("3", FixedPoint(1, 1)),
        ("fixed(8, 24)", FixedPoint(8, 24)),
        ("float16", Ieee(16)),
        ("float32", Ieee(32)),
        ("arbitrary", Arbitrary()),
    ],
)
def test_phi(text: str, phi: object) -> None:
    assert board(f"phi = {text}").phi == phi


def test_columns_follow_the_classes() -> None:
    assert board().columns == 1
    assert board("K = 5").columns == 5
    assert board("columns = 2").columns == 2


@pytest.mark.parametrize(
    ("version", "clip", "renormalises"),
    [
        ("0.15", Fraction(1, 10**15), True),
        ("1.1.3", Fraction(1, 10**15), True),
        ("1.2", Fraction(1, 2**52), True),
        ("1.4", Fraction(1, 2**52), True),
        ("1.5", Fraction(1, 2**52), False),
        ("1.9", Fraction(1, 2**52), False),
    ],
)
def test_scikit_learn_by_version(version: str, clip: Fraction, renormalises: bool) -> None:
    scenario = board(f'scorer = sklearn("{version}")')
    assert scenario.clip == Real.of(clip)
    assert scenario.renormalises == renormalises
    assert scenario.summation == Summation.PAIRWISE
    assert scenario.shown is None


def test_the_clip_of_scikit_learn_follows_the_format() -> None:
    assert board('scorer = sklearn("1.5")', "phi = float32").clip == Real.of(Fraction(1, 2**23))
    assert board('scorer = sklearn("1.5")', "phi = float16").clip == Real.of(Fraction(1, 2**10))
    assert board('scorer = sklearn("1.1")', "phi = float32").clip == Real.of(Fraction(1, 10**15))


def test_other_presets() -> None:
    assert board("scorer = kaggle").shown == Decimals(5)
    assert board("scorer = lightgbm").shown == Significant(6)
    held = struct.unpack("f", struct.pack("f", 1e-15))[0]  # its constant is 1e-15f
    assert board("scorer = lightgbm").clip == Real.of(Fraction(held))
    assert board("scorer = xgboost").clip == Real.of(Fraction(1, 10**16))
    assert board("scorer = ml_metrics").clip is None
    assert board("scorer = keras").phi == Ieee(32)
    torch = board("scorer = torch_bce")
    assert torch.clip == board("clip = exp(-100)").clip
    assert torch.summation == Summation.SEQUENTIAL


def test_every_preset_has_its_provenance_and_fills_only_fields_it_may() -> None:
    from dsl.checking.presets import FILLED

    for preset in PRESETS.values():
        for release in preset.releases:
            assert release.provenance
            assert set(release.fields) | {"abstain"} == set(
                FILLED
            )  # few say what becomes of a class that does not exist


def test_the_file_wins_over_the_preset() -> None:
    scenario = board("scorer = kaggle", "clip = none", "decimals = full", "summation = pairwise")
    assert (scenario.clip, scenario.shown, scenario.summation) == (None, None, Summation.PAIRWISE)
    assert scenario.origins["clip"].kind == "written"
    assert scenario.origins["renormalises"].kind == "preset"


def test_every_field_has_an_origin() -> None:
    parent = 'scenario base { N = 10; scorer = sklearn("1.5"); K = 3 }\n'
    child = "scenario child : base { decimals = 5; sweep queries = 10, 20 }"
    origins = dsl.loads(parent + child, "a.threat")[1].origins
    kinds = {field: origin.kind for field, origin in origins.items()}
    assert kinds["N"] == "inherited"
    assert kinds["decimals"] == kinds["shown"] == "written"
    assert kinds["clip"] == "preset"
    assert kinds["time"] == "default"
    assert kinds["queries"] == "sweep"
    assert origins["N"].source == "inherited from `base`, written at a.threat:1:17"
    assert origins["clip"].source == "preset sklearn 1.5 to 1.6"
    from dsl.checking.fields import FIELDS

    assert set(FIELDS) <= set(origins)


def test_lines_and_files_are_no_part_of_equality() -> None:
    first, second = (dsl.loads(f"{lead}scenario a {{ N = 5 }}", f"{lead!r}")[0] for lead in ("", "\n\n"))
    assert first == second
    assert (first.line("N"), second.line("N")) == (1, 3)
    assert first.line("K") is None


def test_a_percentage_of_exposure_is_a_share_of_the_labels() -> None:
    scenario = board("expect exposure >= 50%", "expect exposure >= 50")
    values = [each.value for each in scenario.expectations if hasattr(each, "value")]
    assert values == [Real.of(500), Real.of(50)]


def test_inherited_formulas_are_evaluated_anew() -> None:
    text = "scenario a { N = 100; queries <= N/5; expect queries <= N }\nscenario b : a { N = 10 }"
    a, b = dsl.loads(text)
    assert (a.queries, b.queries) == (20, 2)
    assert b.expectations[0].text == "queries <= N"
    assert getattr(b.expectations[0], "value", None) == Real.of(10)


def test_a_child_that_sets_a_field_drops_the_sweep_of_it() -> None:
    text = "scenario a { N = 9; sweep N = 1..3; sweep K = 2, 3 }\nscenario b : a { N = 5 }"
    _, b = dsl.loads(text)
    assert [sweep.field for sweep in b.sweeps] == ["K"]
    assert {point.N for point in b.points()} == {5}


def test_the_default_metric_may_be_written_out() -> None:
    silent, spoken = (dsl.loads(f"scenario a {{ N = 100; clip = 1e-5{each} }}") for each in ("", "; metric = log_loss"))
    assert silent == spoken


def test_a_metric_without_logarithms_lets_nothing_refer_to_a_clip() -> None:
    with pytest.raises(dsl.ThreatError) as caught:
        dsl.loads("scenario a { N = 100; scorer = kaggle; metric = brier; queries <= clip*N }")
    assert [each.message for each in caught.value.diagnostics] == ["`clip` is not a number here: it is `none`"]


@pytest.mark.parametrize("fields", ["clip = 1e-5", "scorer = sklearn", "clip = 1e-5; scorer = kaggle"])
def test_what_a_metric_passes_over_is_written_back_as_nothing(fields: str) -> None:
    *_, heir = dsl.loads(f"scenario a {{ N = 100; {fields} }} scenario b : a {{ metric = brier }}")
    assert heir.clip is None
    assert dsl.loads(dsl.source(heir)) == [heir]

"""One field changes, everything else stays as it was typed."""

import pytest

from dsl.reading.lexer import blocks, colours
from dsl.writing.edits import add_sweep, set_field, together

TEXT = """\
# the paper's set
scenario imdb "IMDB {test}" {
    N        = 25_000   # labels
    phi      = float64
    queries <= N/5
    noise    = subexponential(1/4,
                              2)

    expect feasible
    expect queries <= N/5
}

scenario kaggle : imdb { decimals = 5; sweep clip = 1e-15, 1e-3 }
scenario bare : imdb {
}
"""


def edited(scenario: str, field: str, value: str, operator: str = "=", text: str = TEXT) -> str:
    change = set_field(text, scenario, field, value, operator)
    assert change is not None
    return change.apply(text)


def test_a_written_value_is_replaced_and_its_comment_kept() -> None:
    assert edited("imdb", "N", "50_000") == TEXT.replace("25_000", "50_000")


def test_a_value_that_spans_lines_is_replaced_whole() -> None:
    assert "    noise    = none\n\n    expect" in edited("imdb", "noise", "none")


@pytest.mark.parametrize(("before", "after"), [("abc", "abc"), ("", "a"), ("aa", "aaa"), ("xaby", "xby"), ("ab", "cd")])
def test_one_change_stands_for_several(before: str, after: str) -> None:
    assert together(before, after).apply(before) == after


def test_an_expectation_is_not_a_field() -> None:
    changed = edited("imdb", "queries", "300", "<=")
    assert "    queries <= 300\n" in changed
    assert "expect queries <= N/5" in changed


def test_a_new_field_stands_after_the_last_one_and_lines_up() -> None:
    text = TEXT.replace("    noise    = subexponential(1/4,\n                              2)\n", "")
    assert "    queries <= N/5\n    decimals = 5\n" in edited("imdb", "decimals", "5", text=text)


def test_a_new_field_on_a_one_line_scenario_stays_on_that_line() -> None:
    text = "scenario one { N = 10 }\n"
    assert edited("one", "K", "3", text=text) == "scenario one { N = 10; K = 3 }\n"


def test_the_first_field_of_an_empty_scenario() -> None:
    assert "scenario bare : imdb {\n    decimals = 3\n}" in edited("bare", "decimals", "3")
    assert edited("x", "N", "1", text="scenario x {}") == "scenario x {\n    N = 1\n}"


def test_the_other_spelling_of_phi_is_the_same_field() -> None:
    text = "scenario one { N = 10; φ = 64 }"
    assert edited("one", "phi", "arbitrary", text=text) == "scenario one { N = 10; φ = arbitrary }"


def test_a_plain_value_takes_the_place_of_a_sweep() -> None:
    assert "{ decimals = 5; clip = 1e-9 }" in edited("kaggle", "clip", "1e-9")


def test_a_sweep_replaces_the_sweeps_that_were_there() -> None:
    swept = add_sweep(TEXT, "kaggle", "decimals", ["1", "2"])
    assert swept is not None
    block = next(block for block in blocks(swept) if block.name == "kaggle")
    assert [one.field for one in block.statements if one.sweep] == ["decimals"]


@pytest.mark.parametrize("text", ["", "scenario", "scenario one", "scenario one {", "{}}{", "scenario a scenario b {"])
def test_broken_text_is_read_as_far_as_it_goes(text: str) -> None:
    assert set_field(text, "missing", "N", "1") is None
    assert all(token.end <= len(text) for token in colours(text))


def test_an_unclosed_scenario_can_still_be_edited() -> None:
    assert edited("one", "N", "7", text="scenario one {\n  N = 5\n") == "scenario one {\n  N = 7\n"


def test_words_are_coloured_by_their_part() -> None:
    kinds = {token.text: token.kind for token in colours(TEXT)}
    assert kinds["scenario"] == "keyword"
    assert kinds["phi"] == "field"
    assert kinds["float64"] == "value"
    assert kinds["subexponential"] == "call"
    assert kinds["feasible"] == "verdict"
    assert kinds["kaggle"] == "name"
    assert kinds["# labels"] == "comment"
    assert kinds['"IMDB {test}"'] == "string"

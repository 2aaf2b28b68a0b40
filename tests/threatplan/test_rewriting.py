"""A file with some of its scenarios changed keeps whatever else was typed."""

from dataclasses import replace

import pytest

from dsl import loads
from dsl.reading.text import Source
from dsl.scenario import Decimals, ExpectVerdict, Scenario
from threatplan.hardening.rewriting import differs, rewritten

SHUT = ExpectVerdict("impossible", "impossible")
TEXT = """\
# Ask before changing these.

scenario bowl "A bowl: ours" {   # the first
    N        = 198  # hidden labels
    scorer   = kaggle
    queries <= 3*7  # one week

    expect feasible   # it was done
    expect queries <= 14
}  # end

scenario more : bowl { queries <= 40 } # for teams

# the end
"""
CHANGED = """\
# Ask before changing these.

scenario bowl "A bowl: ours" {   # the first
    N        = 198  # hidden labels
    scorer   = kaggle
    queries <= 9  # one week
    decimals = 3

    # no longer: expect feasible   # it was done
    # no longer: expect queries <= 14
    expect impossible
}  # end
"""


def shut(text: str, name: str, queries: int = 9) -> Scenario:
    one = next(one for one in loads(text) if one.name == name)
    return replace(one, queries=queries, shown=Decimals(3), expectations=(SHUT,))


def changed(text: str, *wanted: Scenario) -> str:
    """The text that comes out, in which every scenario is what it is to be."""
    by_name = {one.name: one for one in wanted}
    out = rewritten(Source(text, "board.threat"), by_name)
    for was, now in zip(loads(text), loads(out), strict=True):
        assert not differs(now, by_name.get(was.name, was))
    return out


def test_lines_change_and_comments_stay() -> None:
    out = changed(TEXT, shut(TEXT, "bowl"), shut(TEXT, "more", 13))
    assert out == CHANGED + TEXT.partition("# end\n")[2].replace("<= 40", "<= 13")


def test_who_inherits_says_what_it_was_in_lines_of_its_own() -> None:
    out = changed(TEXT, shut(TEXT, "bowl"))
    assert out.startswith(CHANGED)
    own = "decimals = 5; expect feasible; expect queries <= 14"
    assert f"scenario more : bowl {{ queries <= 40; {own} }} # for teams\n\n# the end\n" in out


def test_who_inherits_what_it_must_not_expect_is_written_out_below_what_it_was() -> None:
    one = shut(TEXT, "bowl")
    exposed = loads("scenario s { N = 198; expect exposure <= 120 }")[0].expectations
    out = changed(TEXT, replace(one, expectations=(*one.expectations, *exposed)))
    assert "# It was:\n# scenario more : bowl { queries <= 40 }\nscenario more {\n" in out
    assert "    expect queries <= 14\n} # for teams\n\n# the end\n" in out


def test_a_child_is_changed_and_its_parent_is_not() -> None:
    out = changed(TEXT, shut(TEXT, "more"))
    assert out.startswith(TEXT.partition("scenario more")[0])


@pytest.mark.parametrize(
    ("body", "out"),
    [
        ("N = 20; expect feasible; queries <= 9", "N = 20; queries <= 4; expect impossible"),
        ("N = 20; queries <= 9; expect feasible", "N = 20; queries <= 4; expect impossible"),
        ("N = 20; queries <= 9; expect feasible; ", "N = 20; queries <= 4; expect impossible "),
        (
            "N = 20; queries <= 9\n expect queries <= 7\n",
            "N = 20; queries <= 4\n # no longer: expect queries <= 7\n expect impossible\n",
        ),
    ],
)
def test_statements_on_one_line(body: str, out: str) -> None:
    text = f"scenario s {{ {body}}}"
    one = replace(loads(text)[0], queries=4, expectations=(SHUT,))
    assert changed(text, one) == f"scenario s {{ {out}}}"


def test_what_cannot_be_inherited_any_more_is_written_out() -> None:
    """A part of the rows and a guess do not go together, so the child of a board that is split cannot stay a child."""
    text = "scenario a { N = 20; clip = 1e-3 }\nscenario b : a { guess = 90% }\n"
    one = replace(loads(text)[0], public=10)
    assert "# scenario b : a { guess = 90% }\nscenario b {" in changed(text, one)

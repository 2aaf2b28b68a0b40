import pytest

import dsl

UGLY = """# top


# above
scenario   a:b  "t"  # first
{N=25000;K   =   3 # trailing
      # own line



  phi = (64)
queries≤(N/5)+((1))   # budget
  expect   queries<=N   }   # end
# foot
scenario b{N=1}
"""
CANONICAL = """# top

# above
# first
scenario a : b "t" {
    N        = 25000
    K        = 3  # trailing
    # own line

    phi      = 64
    queries <= N/5 + 1  # budget
    expect queries <= N
}  # end

# foot
scenario b {
    N = 1
}
"""


def test_the_canonical_form() -> None:
    assert dsl.format_text(UGLY) == CANONICAL
    assert dsl.format_text(CANONICAL) == CANONICAL


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("((1 + 2))*3", "(1 + 2)*3"),
        ("1 + (2*3)", "1 + 2*3"),
        ("1 - (2 - 3)", "1 - (2 - 3)"),
        ("(1 - 2) - 3", "1 - 2 - 3"),
        ("2^(3^4)", "2^3^4"),
        ("(2^3)^4", "(2^3)^4"),
        ("(-2)^2", "(-2)^2"),
        ("-(2^2)", "-2^2"),
        ("2^(-1)", "2^-1"),
        ("-(1 + 2)", "-(1 + 2)"),
        ("(1/2)%", "(1/2)%"),
        ("5 % %", "5%%"),
        ("2 ** 3", "2^3"),
        ("min( 1,2 )", "min(1, 2)"),
        ("8/(4/2)", "8/(4/2)"),
        ("+ 3", "3"),
    ],
)
def test_only_needed_parentheses_stay(written: str, canonical: str) -> None:
    assert dsl.format_text(f"scenario a {{ N = {written} }}") == f"scenario a {{\n    N = {canonical}\n}}\n"


def test_a_comment_is_never_lost() -> None:
    text = "#1\nscenario a #2\n#3\n{#4\n#5\nN=1#6\n#7\n}#8\n#9\nscenario b : a {#10\n}#11\n#12"
    formatted = dsl.format_text(text)
    assert [word for word in formatted.split() if word.startswith("#")] == [f"#{i}" for i in range(1, 13)]


def test_comments_of_neighbouring_lines_are_aligned() -> None:
    text = "scenario a {\nN = 1000 # one\nK = 2 # two\n\nphi = 64 # apart\n}"
    assert dsl.format_text(text).splitlines()[1:5] == [
        "    N   = 1000  # one",
        "    K   = 2     # two",
        "",
        "    phi = 64  # apart",
    ]


def test_a_file_of_comments_only_and_a_wrong_file() -> None:
    assert dsl.format_text("  # a\n\n\n#b") == "# a\n\n#b\n"
    with pytest.raises(dsl.ThreatError):
        dsl.format_text("scenario a { N = }")


def test_meaning_does_not_matter_to_the_formatter() -> None:
    assert dsl.format_text("scenario a{N=-1;bogus=2}") == "scenario a {\n    N     = -1\n    bogus = 2\n}\n"

import json

import pytest

import dsl


def faults(text: str) -> dsl.ThreatError:
    with pytest.raises(dsl.ThreatError) as caught:
        dsl.loads(text, "leaderboard.threat")
    return caught.value


def test_the_rendering_of_the_reference() -> None:
    text = "scenario a {\n    N = 5\n\n\n\n\n    quries <= 300\n}\n"
    assert faults(text).render() == (
        "error[T012]: unknown field `quries`\n"
        "  --> leaderboard.threat:7:5\n"
        "   |\n"
        " 7 |     quries <= 300\n"
        "   |     ^^^^^^ did you mean `queries`?\n"
    )


def test_the_same_as_data() -> None:
    (each,) = json.loads(json.dumps(faults("scenario a { N = 5; quries <= 300 }").to_json()))
    assert each == {
        "code": "T012",
        "severity": "error",
        "message": "unknown field `quries`",
        "hint": "did you mean `queries`?",
        "file": "leaderboard.threat",
        "span": {"line": 1, "column": 21, "end_line": 1, "end_column": 27},
    }


def test_colour_adds_nothing_but_colour() -> None:
    error = faults("scenario a { N = 0; K = 1 }")
    colored = error.render(color=True)
    assert "\033[1;31m" in colored
    import re

    assert re.sub(r"\033\[[0-9;]*m", "", colored) == error.render(color=False)


def test_faults_are_sorted_by_place() -> None:
    error = faults("scenario a { K = 1; N = 1/0; $ }\nscenario a { N = 25k }\n")
    places = [(each.span.line, each.span.column) for each in error.diagnostics if each.span]
    assert places == sorted(places)
    assert {each.code for each in error.diagnostics} == {"T010", "T014", "T020", "T032", "T040"}


def test_a_file_cannot_speak_to_the_terminal() -> None:
    shown = faults('scenario a "\x1b[2J" { N = \x1b]0;x\x07 }').render()
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_warnings_do_not_stop_a_file() -> None:
    checked = dsl.check("scenario a { N = 5; noise = bounded(0) }")
    assert [each.code for each in checked.warnings] == ["T101"]
    assert [scenario.name for scenario in checked.scenarios] == ["a"]


def test_a_fault_in_a_parent_is_told_once() -> None:
    blocks = ["scenario a { N = 0 }", *(f"scenario b{i} : a {{ }}" for i in range(50))]
    assert len(faults("\n".join(blocks)).diagnostics) == 1


def test_no_fault_follows_from_another() -> None:
    text = "scenario a { N = 25k; queries <= N/5; columns = K; K = oops; expect queries <= N }"
    assert [each.code for each in faults(text).diagnostics] == ["T014", "T026"]

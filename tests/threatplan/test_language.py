"""The language for editors: hover, completion, the grammar, and the server driven over stdio."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dsl.checking.fields import FIELDS
from threatplan.language import grammar
from threatplan.language.completion import complete
from threatplan.language.fixes import fixed, fixes
from threatplan.language.hover import hover
from threatplan.language.lenses import lenses, said
from threatplan.language.pending import Pending

ROOT = Path(__file__).parent.parent.parent
TEXT = """scenario small "Sixty-four labels" {
    N        = 64
    φ        = float64
    scorer   = kaggle
    queries <= 20
    expect feasible
}
"""


@pytest.mark.parametrize(
    ("line", "column", "part"),
    [
        (0, 11, "**feasible**: "),
        (0, 2, "One situation"),
        (1, 4, "How many labels are hidden."),
        (2, 4, "also written φ"),
        (3, 16, "Kaggle's classic log loss"),
        (5, 13, "An attack recovers the labels"),
    ],
)
def test_hover(line: int, column: int, part: str) -> None:
    about = hover(TEXT, line, column)
    assert about is not None
    assert part in about


@pytest.mark.parametrize(("line", "column"), [(1, 16), (6, 0), (99, 0), (0, 20)])
def test_hover_says_nothing_where_there_is_nothing_to_say(line: int, column: int) -> None:
    assert hover(TEXT, line, column) is None


def test_hover_on_a_name_is_silent_while_the_text_is_broken() -> None:
    assert hover(TEXT.replace("64", "sixty"), 0, 11) is None


def labels(text: str, line: int, column: int) -> set[str]:
    return {offer.label for offer in complete(text, line, column)}


def test_completion_knows_where_it_is() -> None:
    inside = TEXT.splitlines()
    assert labels("", 0, 0) == {"scenario"}
    assert labels(TEXT, 1, 4) == {*FIELDS, "expect", "sweep"}
    assert labels(TEXT, 2, 15) >= {"float64", "arbitrary", "fixed(i, f)"}
    assert labels(TEXT, 3, 15) >= {"kaggle", "sklearn", "keras"}
    assert labels(TEXT, 5, 11) >= {"impossible", "exposure"}
    assert labels(TEXT, 1, 0) == labels(TEXT, 1, 4)
    assert labels("\n".join([*inside[:2], "    # N = "]), 2, 10) == set()
    assert labels(TEXT, 7, 0) == {"scenario"}


def test_the_grammar_file_is_made_from_the_tables() -> None:
    stored = ROOT / "docs/editors/vscode/syntaxes/threat.tmLanguage.json"
    if os.environ.get("UPDATE_GOLDEN"):
        stored.parent.mkdir(parents=True, exist_ok=True)
        stored.write_text(grammar.text(), encoding="utf-8")
    assert stored.read_text(encoding="utf-8") == grammar.text()


def test_the_grammar_colours_every_field_once() -> None:
    rules = [rule for rule in grammar.grammar()["patterns"] if rule.get("name")]
    for name in FIELDS:
        matching = [rule["name"] for rule in rules if re.fullmatch(rule["match"], name)]
        assert matching[0] == "variable.parameter.threat"


class Editor:
    """Enough of an editor to talk to a language server."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._last = 0

    def send(self, method: str, params: dict[str, Any] | None, request: bool = False) -> int:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if request:
            self._last += 1
            message["id"] = self._last
        body = json.dumps(message).encode()
        assert self._process.stdin is not None
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self._process.stdin.flush()
        return self._last

    def receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = 0
        while line := self._process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message: dict[str, Any] = json.loads(self._process.stdout.read(length))
        return message

    def ask(self, method: str, params: dict[str, Any] | None) -> Any:
        number = self.send(method, params, request=True)
        while (message := self.receive()).get("id") != number:
            pass
        assert "error" not in message, message
        return message["result"]

    def hear(self, method: str) -> Any:
        while (message := self.receive()).get("method") != method:
            pass
        return message["params"]


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[tuple[Editor, subprocess.Popen[bytes]]]:
    pytest.importorskip("pygls")
    process = subprocess.Popen(
        [sys.executable, "-m", "threatplan", "lsp"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    yield Editor(process), process
    process.kill()
    process.wait()


KEYS = 30
LONG = "".join(TEXT.replace("small", f"small{i}") for i in range(1429))  # 10,003 lines


@pytest.mark.timeout(120)
def test_fast_typing_in_a_long_document_is_checked_in_pauses(editor: tuple[Editor, subprocess.Popen[bytes]]) -> None:
    """Each of thirty keys was checked by itself, the whole document each time."""
    client, _ = editor
    client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    client.send("initialized", {})
    uri = "file:///long.threat"
    document = {"uri": uri, "languageId": "threat", "version": 1, "text": LONG}
    client.send("textDocument/didOpen", {"textDocument": document})
    assert client.hear("textDocument/publishDiagnostics")["version"] == 1
    place = {"line": 1, "character": 4}
    for key in range(KEYS):
        change = {"range": {"start": place, "end": place}, "text": " " if key < KEYS - 1 else "q"}
        changed = {"textDocument": {"uri": uri, "version": key + 2}, "contentChanges": [change]}
        client.send("textDocument/didChange", changed)
    checked = [client.hear("textDocument/publishDiagnostics")]
    while checked[-1]["version"] < KEYS + 1:
        checked.append(client.hear("textDocument/publishDiagnostics"))
    assert checked[-1]["diagnostics"], "the last key makes an unknown field"
    assert len(checked) < KEYS // 3, "the keys were checked one by one"


def test_only_the_newest_text_is_looked_at() -> None:
    looked: list[str] = []

    async def typing() -> None:
        pending = Pending(looked.append, pause=0)
        for uri in ("a", "b", "a", "c", "a", "c"):
            pending.changed(uri)
        pending.forget("c")
        assert looked == []
        await asyncio.sleep(0.01)
        assert sorted(looked) == ["a", "b"]
        pending.changed("b")
        pending.now("b")
        await asyncio.sleep(0.01)

    asyncio.run(typing())
    assert sorted(looked) == ["a", "b", "b"]


@pytest.mark.timeout(60)
def test_a_session_over_stdio(editor: tuple[Editor, subprocess.Popen[bytes]]) -> None:
    client, process = editor
    started = client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert started["serverInfo"]["name"] == "threatplan"
    client.send("initialized", {})

    uri = "file:///small.threat"
    broken = TEXT.replace("queries", "quries").replace("N        = 64", 'N        = 64  # "𝜑"')
    document = {"uri": uri, "languageId": "threat", "version": 1, "text": broken}
    client.send("textDocument/didOpen", {"textDocument": document})
    (fault,) = client.hear("textDocument/publishDiagnostics")["diagnostics"]
    assert fault["code"] == "T012"
    assert fault["range"] == {"start": {"line": 4, "character": 4}, "end": {"line": 4, "character": 10}}
    assert "did you mean `queries`?" in fault["message"]

    ragged = TEXT.replace("N        =", "N =")
    changed = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": ragged}]}
    client.send("textDocument/didChange", changed)
    assert client.hear("textDocument/publishDiagnostics")["diagnostics"] == []

    place = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 11}}
    assert "feasible" in client.ask("textDocument/hover", place)["contents"]["value"]
    place["position"] = {"line": 3, "character": 15}
    items = client.ask("textDocument/completion", place)["items"]
    assert "sklearn" in {item["label"] for item in items}
    options = {"tabSize": 4, "insertSpaces": True}
    (edit,) = client.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": options})
    assert edit["newText"] == TEXT.replace("φ  ", "phi")

    assert client.ask("shutdown", None) is None
    client.send("exit", None)
    assert process.wait(timeout=20) == 0


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("quries", "queries"), ("expect feasable", "expect feasible"), ("scorer   = kagle", "scorer   = kaggle")],
)
def test_a_quick_fix_writes_what_was_meant(wrong: str, right: str) -> None:
    text = TEXT.replace(right, wrong)
    (fix,) = fixes(text)
    assert fixed(text, fix) == TEXT
    assert fix.title == f"Change to `{fix.word}`"


def test_a_hint_that_would_not_help_is_not_offered() -> None:
    """Both ends of the noise would have to change, and the hint names neither of them."""
    text = TEXT.replace("scorer   = kaggle", "noise = uniform(1, 2)")
    assert fixes(text) == []
    assert fixes(TEXT) == []


def test_a_lens_above_each_scenario_says_the_verdict() -> None:
    text = f"# scenario none\n{TEXT}\nscenario shut : small {{ queries <= 0; expect impossible }}\n"
    assert [(one.name, one.line) for one in lenses(text)] == [("small", 1), ("shut", 9)]
    assert said(text, "small").startswith(
        "feasible: design recovers all 64 labels in 4 queries (20 allowed) · exposed 64"
    )
    assert said(text, "shut").startswith("impossible: ")
    assert said(text, "nobody") == said("scenario", "small") == "–"
    assert said(text, "small", 1e-9).startswith("gave up")


@pytest.mark.timeout(60)
def test_fixes_and_lenses_over_stdio(editor: tuple[Editor, subprocess.Popen[bytes]]) -> None:
    client, _ = editor
    started = client.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert started["capabilities"]["codeLensProvider"]["resolveProvider"]
    client.send("initialized", {})
    uri = "file:///small.threat"
    broken = TEXT.replace("queries", "quries")
    client.send(
        "textDocument/didOpen",
        {"textDocument": {"uri": uri, "languageId": "threat", "version": 1, "text": broken}},
    )
    place = {"start": {"line": 4, "character": 0}, "end": {"line": 4, "character": 0}}
    held = {"textDocument": {"uri": uri}}
    (action,) = client.ask("textDocument/codeAction", {**held, "range": place, "context": {"diagnostics": []}})
    (edit,) = action["edit"]["changes"][uri]
    assert (action["kind"], edit["newText"]) == ("quickfix", "queries")
    assert (
        client.ask(
            "textDocument/codeAction",
            {
                **held,
                "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}},
                "context": {"diagnostics": []},
            },
        )
        == []
    )
    changed = {
        "textDocument": {"uri": uri, "version": 2},
        "contentChanges": [{"range": edit["range"], "text": "queries"}],
    }
    client.send("textDocument/didChange", changed)
    (lens,) = client.ask("textDocument/codeLens", held)
    assert client.ask("codeLens/resolve", lens)["command"]["title"].startswith("feasible: ")

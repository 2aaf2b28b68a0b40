"""`plan explain` takes every word that a report prints: verdicts, labels of lines, heads of tables, ids, symbols."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dsl.checking.fields import FIELDS, Field
from tests.threatplan.golden import FOLDER
from tests.threatplan.shell import Shell
from threatplan.glossary import PAGES
from threatplan.topics import topics
from threatplan.words import WORDS

ROOT = Path(__file__).parents[2]
GOLDEN = (
    "harden/text",
    "harden/ceiling-text",
    "harden/already-text",
    "run/text",
    "check/text",
    "sweep/text",
    "verify/text",
)
LABEL = re.compile(r"^ {2}([a-z][a-z ]*[a-z])(?: {2,})\S")  # "  exposure     198 of 198 labels"
TITLE = re.compile(r"^ {2}([A-Z][A-Za-z ]+)$")  # "  Why not"
HEAD = re.compile(r"^ +(?:attack|knob|change|decimals) {2,}.*\b(?:status|exposes|proof|ceiling)$")
VERDICT = re.compile(
    r"\b(BETTER|SAME|ADDED|REMOVED|FEASIBLE|IMPOSSIBLE|UNKNOWN|FAIL|ok|holds|not proved|not known|all hold|all verified)\b"
)
ID = re.compile(
    r"\((I\d+)(?:, [^)]*)?\)|`plan explain ([\w-]+)`|\bby ([a-z]+-[a-z-]+)\b|^    (I\d+) |nothing from ((?:I\d+(?:, )?)+)"
)
SYMBOL = re.compile(r"(?<![\w'.,^-])([B-Zb-wyzδτση]|A(?= =)|e_f|dev|gap|unit|amplitude)(?![\w'-]|\. )")
SYMBOLIC = re.compile(r"^ {4}(?:I\d+ .*:|.*: (?:holds|not proved)$|queries \d+: I)|^ {8}\S")


def cells(line: str) -> list[str]:
    return [cell for cell in re.split(r" {2,}", line.strip()) if cell]


def terms(text: str) -> Iterator[str]:
    """What somebody may ask about who reads this."""
    rows = False
    for line in text.splitlines():
        rows = rows and line.startswith("  ") and not line.lstrip().startswith(("*", "`"))
        if rows:
            yield cells(line)[-1] if line.startswith("  ") and cells(line)[-1][:1].isalpha() else "attack"
        if HEAD.match(line):
            rows = "status" in line
            yield from cells(line)
        elif match := LABEL.match(line) or TITLE.match(line):
            yield "Proof of" if match[1].startswith("Proof of") else match[1]
        yield from VERDICT.findall(line)
        for groups in ID.findall(line):
            yield from (id for group in groups for id in group.split(", ") if id)
        if SYMBOLIC.match(line):
            yield from SYMBOL.findall(line)


def missing(text: str) -> set[str]:
    known = {name.lower() for topic in topics() for name in topic.names}
    return {term for term in terms(text) if term.lower() not in known and not term.endswith(("query", "queries"))}


@pytest.mark.parametrize("name", GOLDEN)
def test_every_word_of_a_golden_text_can_be_explained(name: str) -> None:
    assert missing((FOLDER / f"{name}.txt").read_text(encoding="utf-8")) == set()


def test_every_word_of_the_reports_in_the_readme_can_be_explained() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = "\n".join(re.findall(r"<!-- output: plan [^\n]*-->\n```text\n(.*?)```", text, re.DOTALL))
    assert "exposure" in set(terms(shown)), "words are found at all"
    assert {"bits", "status", "lower bound", "Why not", "I1", "E-A1", "over budget"} <= set(terms(shown))
    assert missing(shown) == set()


def test_every_word_of_an_explained_report_can_be_explained(shell: Shell) -> None:
    shown = shell("small.threat", "--explain").out
    assert {"W", "E", "gap", "A", "holds", "lower bound"} <= set(terms(shown))
    assert missing(shown) == set()


def test_a_word_that_is_not_explained_is_noticed() -> None:
    assert missing("  bogus figure  12 of 13\n") == {"bogus figure"}
    assert missing("    Z > 2E: holds\n") == {"Z"}


@pytest.mark.parametrize("asked", [("lower", "bound"), ("over budget",), ("tau",), ("w",), ("still exposes",)])
def test_words_are_found_as_they_are_printed(shell: Shell, asked: tuple[str, ...]) -> None:
    done = shell("explain", *asked)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.name)
def test_every_word_of_the_language_is_explained(field: Field) -> None:
    names = {name for topic in topics() for name in topic.names}
    assert {word.partition("(")[0] for word in (*field.words, *field.calls)} <= names


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("covered", "scored (term)"),
        ("energy", "I6 (limit)"),
        ("several", "several (value)"),
        ("recall", "recall (value)"),
        ("ladder", "ladder (value)"),
        ("response", "response (field)"),
        ("guess", "guess (field)"),
        ("sweep", "sweep (keyword)"),
        ("expect", "expect (keyword)"),
        ("epsilon", "ε (symbol)"),
        ("gate", "gate (term)"),
        ("scoregate", "scoregate (term)"),
        ("levels", "levels (term)"),
        ("set right", "set right (term)"),
    ],
)
def test_words_that_newcomers_asked_for(shell: Shell, word: str, said: str) -> None:
    first = " ".join(shell("explain", word).out.partition("\n\n")[0].split())
    assert said == f"{first.partition(':')[0]} {first[first.rindex('(') :]}"


def test_no_two_words_go_by_one_name() -> None:
    names = [name for word in WORDS for name in (word.id, *word.also)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", PAGES)
def test_pages_of_the_documentation_are_made_from_the_tables(name: str) -> None:
    """`python -m threatplan.glossary docs` writes them anew."""
    page = ROOT / "docs" / name
    if os.environ.get("UPDATE_GOLDEN"):
        page.write_text(PAGES[name](), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == PAGES[name]()


def test_the_site_leads_to_every_page() -> None:
    """`mkdocs build --strict` says the rest; this needs no mkdocs."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("nav:")[1]
    pages = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if not re.search(rf": {re.escape(page)}$", nav, re.MULTILINE)} == set()

"""What others wrote, in a form that a terminal, a log or a reader is not deceived by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

FILLERS: Final = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters and signs without ink
BREAKS: Final = "\u2028\u2029"  # blanks that end a line, for some
CONTROL: Final = re.compile(r"[\x01-\x08\x0b-\x1f\x7f-\x9f]")  # C0 and C1 but tab and line end; NUL has its own code
COMMAND: Final = re.compile(r"(?<!\S)::|##(?=\w*\[)")
"""What CI systems obey in a log: `::error::` at the start of a line, `##[group]` and `##vso[…]` anywhere. Lines are
broken at blanks, so any word may come to start one."""


def visible(text: str) -> str:
    """The text on one line, with nothing in it that is obeyed, reorders what is around it, or cannot be seen."""
    if not (text.isprintable() and text.isascii()):
        text = text.translate({ord(c): _escaped(c) for c in set(text) if c != "\t" and hidden(c)})
    return COMMAND.sub(lambda found: f"{found[0][0]}\\{found[0][1]}", text) if "::" in text or "##" in text else text


def hidden(character: str) -> bool:
    """Whether a character does something else than being seen: controls, bidi marks, joiners, blanks but the space."""
    return not character.isprintable() or character in FILLERS


def hidden_in(text: str) -> Iterator[int]:
    """Where a text of many lines holds such characters, blanks apart: the first one of each line."""
    found = "" if text.isascii() else "".join(c for c in set(text) if hidden(c) and (c in BREAKS or not c.isspace()))
    if not found:
        return
    pattern, at = re.compile(f"[{re.escape(found)}]"), 0
    while at >= 0 and (match := pattern.search(text, at)):
        yield match.start()
        at = text.find("\n", match.start())


def called(character: str) -> str:
    """A character by its number and name: `U+202E (right-to-left override)`."""
    from unicodedata import name as named

    name = named(character, "")
    return f"U+{ord(character):04X}" + (f" ({name.lower()})" if name else "")


def json_text(data: Any, **options: Any) -> str:
    """Data as JSON that any reader of JSON takes for the same, and that can be shown."""
    import json

    text = json.dumps(data, ensure_ascii=False, **options)
    if "##" in text:  # within strings only
        text = COMMAND.sub(lambda found: found[0].replace("##", r"#\u0023"), text)
    if text.isascii() and text.isprintable():
        return text
    return text.translate({ord(c): json.dumps(c)[1:-1] for c in set(text) if c != "\n" and hidden(c)})


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode()

"""Text to tokens, by one regular expression made of the grammar's terminals."""

from __future__ import annotations

import re
from typing import Final

from dsl.tables import TERMINALS

# What no rule accepts, each with a message of its own in dsl/complaints.py.
WRONG: Final = [
    ("BAD_NUMBER", r"\.?[0-9]\w*(?:\.\w+)*"),
    ("BAD_STRING", r'"[^\n]*'),
    ("JUNK", r"[^ \t\n#]"),
    ("END", r"\Z"),
]

KEYWORDS: Final = {pattern: name for name, pattern in TERMINALS if pattern.isalpha()}

_kinds = "|".join(f"(?P<{name}>{pattern})" for name, pattern in [*TERMINALS, *WRONG] if pattern not in KEYWORDS)
# Possessive, so that blanks before an unreadable character are never tried twice.
TOKEN: Final = re.compile(rf"[ \t]*+(?:#[^\n]*+)?(?:{_kinds})")
COMMENT: Final = re.compile(r'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"|"[^\n]*|#[^\n]*')

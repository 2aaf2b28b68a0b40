"""The language as Lark knows it: the parser of grammar.lark, built when the first text is read."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from lark import Lark
from lark.lark import PostLex

from dsl.reading.actions import Actions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lark import Token

# Beside this module's bytecode, to be trusted as far and kept as long; where there is none, the parser is built anew.
SAVED: Final = f"{__spec__.cached}.grammar" if __spec__ and __spec__.cached else False
END: Final = "$END"  # what Lark calls the end of a text
WRONG: Final = ("BAD_NUMBER", "BAD_STRING", "JUNK")


class _Kept(PostLex):
    """Tells Lark which terminals to keep though no rule takes them: those of what is wrong."""

    always_accept = WRONG

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens as they are."""
        return stream


@cache
def language() -> Lark:
    """The parser. Keywords are reserved wherever they stand, so one lexer serves every state."""
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        lexer="basic",
        start="file",
        transformer=Actions(),
        postlex=_Kept(),
        cache=SAVED,
    )


def comments(text: str) -> Iterator[Token]:
    """The comments of a text, in their order."""
    return (token for token in language().lex(text, dont_ignore=True) if token.type == "COMMENT")

"""What each rule of the grammar makes of its parts: a method for each rule, or for the name that a rule goes by."""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from lark import Token, Transformer, v_args

from dsl.reading.syntax import (
    Binary,
    Block,
    Broken,
    Call,
    ExpectStatement,
    Expr,
    FieldStatement,
    Name,
    Negative,
    Number,
    Percent,
    Range,
    Relation,
    Statement,
    SweepStatement,
    Text,
)

SPELLINGS: Final = {"≤": "<=", "≥": ">=", "−": "-", "×": "*", "·": "*", "÷": "/", "**": "^"}
ESCAPES: Final = {"n": "\n", "t": "\t"}

Placed: TypeAlias = tuple[str, int, int]
Header: TypeAlias = tuple[Name | None, Name | None, Text | None]


def placed(token: Token) -> Placed:
    """The text of a token, and where it begins and ends."""
    start, end = token.start_pos, token.end_pos
    assert start is not None
    assert end is not None
    return token.value, start, end


@v_args(inline=True)
class Actions(Transformer[Token, Any]):
    """The syntax tree, from the bottom up."""

    # -- lists and what stands for itself ------------------------------------------------------------

    def no_items(self) -> list[Any]:
        """An empty list, to which a left-recursive rule adds."""
        return []

    def nothing(self, *_: object) -> None:
        """What may be left out, and is."""

    def same(self, first: Any, _: object) -> Any:
        """The first of two parts."""
        return first

    def second(self, _: object, second: Any) -> Any:
        """The second of two parts."""
        return second

    def one(self, first: Any) -> list[Any]:
        """A list's first item."""
        return [first]

    def add(self, items: list[Any], item: Any) -> list[Any]:
        """One item more."""
        items.append(item)
        return items

    def add_third(self, items: list[Any], _: object, item: Any) -> list[Any]:
        """One item more, behind a mark."""
        items.append(item)
        return items

    # -- values --------------------------------------------------------------------------------------

    def number(self, token: Token) -> Number:
        """`25_000`."""
        return Number(*placed(token))

    def name(self, token: Token) -> Name:
        """`float64`."""
        return Name(*placed(token))

    def text(self, token: Token) -> Text:
        """A string, its escapes undone."""
        quoted, start, end = placed(token)
        inner = quoted[1:-1]
        if "\\" in inner:
            inner = re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), inner)
        return Text(inner, start, end)

    def group(self, opening: Token, inner: Expr, closing: Token) -> Expr:
        """What stands between parentheses, which count as part of its place."""
        return inner._replace(start=placed(opening)[1], end=placed(closing)[2])

    def call(self, name: Token, _: object, *rest: Any) -> Call:
        """`fixed(8, 24)`; the rest is the closing parenthesis, after the arguments if there are any."""
        *arguments, closing = rest
        found = Name(*placed(name))
        return Call(found, tuple(arguments[0]) if arguments else (), found.start, placed(closing)[2])

    def binary(self, left: Expr, operator: Token, right: Expr) -> Binary:
        """`N/5`."""
        return Binary(SPELLINGS.get(operator, operator.value), left, right, left.start, right.end)

    def negative(self, sign: Token, operand: Expr) -> Negative:
        """`-1`."""
        return Negative(operand, placed(sign)[1], operand.end)

    def share(self, operand: Expr, sign: Token) -> Percent:
        """`99%`."""
        return Percent(operand, operand.start, placed(sign)[2])

    def range(self, first: Expr, _: object, last: Expr) -> Range:
        """`2..6`."""
        return Range(first, last, None, None, first.start, last.end)

    def spaced_range(self, first: Expr, _: object, last: Expr, spacing: Token, amount: Expr) -> Range:
        """`2..6 step 2`."""
        return Range(first, last, Name(*placed(spacing)), amount, first.start, amount.end)

    # -- statements ----------------------------------------------------------------------------------

    def relation(self, token: Token) -> Relation:
        """`<=`, in its ASCII spelling."""
        text, start, end = placed(token)
        return Relation(SPELLINGS.get(text, text), start, end)

    def field(self, name: Token, relation: Relation, value: Expr) -> FieldStatement:
        """`N = 25_000`."""
        found = Name(*placed(name))
        return FieldStatement(found, relation, value, found.start, value.end)

    def sweep(self, keyword: Token, name: Token, relation: Relation, values: list[Expr]) -> SweepStatement:
        """`sweep decimals = 2..6`."""
        return SweepStatement(Name(*placed(name)), relation, tuple(values), placed(keyword)[1], values[-1].end)

    def sweep_list(
        self, keyword: Token, name: Token, relation: Relation, _: object, values: list[Expr], closing: Token
    ) -> SweepStatement:
        """`sweep decimals = [2, 4]`."""
        start, end = placed(keyword)[1], placed(closing)[2]
        return SweepStatement(Name(*placed(name)), relation, tuple(values), start, end)

    def verdict(self, keyword: Token, name: Token) -> ExpectStatement:
        """`expect feasible`."""
        found = Name(*placed(name))
        return ExpectStatement(found, None, None, placed(keyword)[1], found.end)

    def measure(self, keyword: Token, name: Token, relation: Relation, value: Expr) -> ExpectStatement:
        """`expect queries <= N/5`."""
        return ExpectStatement(Name(*placed(name)), relation, value, placed(keyword)[1], value.end)

    def broken(self, token: Token) -> Broken:
        """A statement that could not be read."""
        return Broken(*placed(token))

    # -- scenarios -----------------------------------------------------------------------------------

    def body(self, statement: Statement | None) -> list[Statement]:
        """The statements of a scenario, from the first one on."""
        return [] if statement is None else [statement]

    def add_statement(self, body: list[Statement], _: object, statement: Statement | None) -> list[Statement]:
        """One statement more, unless the line was empty."""
        if statement is not None:
            body.append(statement)
        return body

    def header(self, name: Token, parent: Token | None, title: Text | None, _: object) -> Header:
        """`imdb : base "a title"`."""
        return Name(*placed(name)), Name(*placed(parent)) if parent is not None else None, title

    def no_header(self, _: object) -> Header:
        """A scenario's first line that could not be read."""
        return None, None, None

    def scenario(self, keyword: Token, header: Header, brace: Token, body: list[Statement], closing: Token) -> Block:
        """The whole of it."""
        return Block(*header, tuple(body), placed(brace)[1], placed(keyword)[1], placed(closing)[2])

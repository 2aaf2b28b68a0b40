"""The syntax tree. Every node knows the offsets of its first character and of the one after its last."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias


class Number(NamedTuple):
    """A number as it was written."""

    text: str
    start: int
    end: int


class Exact(NamedTuple):
    """A number that stands for itself: a point of a sweep."""

    value: Fraction
    start: int
    end: int


class Name(NamedTuple):
    """A word: a field, a value, or a unit of neither."""

    text: str
    start: int
    end: int


class Text(NamedTuple):
    """A string, its escapes undone."""

    text: str
    start: int
    end: int


class Call(NamedTuple):
    """`name(arguments)`: a function, a noise law, a format or a scorer of some version."""

    name: Name
    arguments: tuple[Expr, ...]
    start: int
    end: int


class Negative(NamedTuple):
    """`-operand`."""

    operand: Expr
    start: int
    end: int


class Percent(NamedTuple):
    """`operand%`."""

    operand: Expr
    start: int
    end: int


class Binary(NamedTuple):
    """`left operator right`, the operator one of + - * / ^."""

    operator: str
    left: Expr
    right: Expr
    start: int
    end: int


class Range(NamedTuple):
    """`first..last`, with `step amount` or `log amount` after it."""

    first: Expr
    last: Expr
    spacing: Name | None
    amount: Expr | None
    start: int
    end: int


Expr: TypeAlias = Number | Exact | Name | Text | Call | Negative | Percent | Binary | Range


class Relation(NamedTuple):
    """`=`, `<=` and their like, in their ASCII spelling."""

    text: str
    start: int
    end: int


class FieldStatement(NamedTuple):
    """`N = 25_000`."""

    name: Name
    relation: Relation
    value: Expr
    start: int
    end: int


class SweepStatement(NamedTuple):
    """`sweep decimals = 2..6`."""

    name: Name
    relation: Relation
    values: tuple[Expr, ...]
    start: int
    end: int


class ExpectStatement(NamedTuple):
    """`expect feasible`, `expect queries <= N/5`; the verdict has neither relation nor value."""

    name: Name
    relation: Relation | None
    value: Expr | None
    start: int
    end: int


class Broken(NamedTuple):
    """What stands for a statement that could not be read, and the word that it began with."""

    text: str
    start: int
    end: int


Statement: TypeAlias = FieldStatement | SweepStatement | ExpectStatement | Broken


class Block(NamedTuple):
    """One scenario as written: `scenario name : parent "title" { body }`."""

    name: Name | None  # None where the first line could not be read
    parent: Name | None
    title: Text | None
    body: tuple[Statement, ...]
    brace: int  # offset of the opening brace
    start: int
    end: int

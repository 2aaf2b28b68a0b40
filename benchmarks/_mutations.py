"""Small wrong changes of a source file, one at a time: what a test suite ought to notice.

A mutant is known by its file, its function and the changed text, not by a line or a number, so that a list of mutants
outlives changes of the code around them.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

SHOWN = 14  # characters of source that tell a reader where a change is; shorter ones are shown with what surrounds them
SWAPPED_OPERATORS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.Div,), ast.Div: (ast.Mult,), ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,), ast.Pow: (ast.Mult,), ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,), ast.BitXor: (ast.BitOr,),
    ast.Lt: (ast.LtE,), ast.LtE: (ast.Lt,), ast.Gt: (ast.GtE,), ast.GtE: (ast.Gt,), ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    ast.And: (ast.Or,), ast.Or: (ast.And,),
}  # fmt: skip
_PAIRS = (
    ("min", "max"), ("any", "all"), ("floor", "ceil"), ("upper", "lower"), ("floor_of", "ceil_of"), ("lo", "hi"),
    ("numerator", "denominator"), ("sum_error", "score_error"),
)  # fmt: skip
SWAPPED_NAMES = {name: other for pair in _PAIRS for name, other in (pair, pair[::-1])}
SWAPPED_TEXTS = {">=": ">", ">": ">=", "<=": "<", "<": "<="}  # relations that are handed to a comparison
SYMMETRIC = ("Fraction", "divmod", "enough_room")  # functions whose two arguments are of one kind
FREE_NAMES = ("min", "max", "any", "all", "floor", "ceil", "floor_of", "ceil_of", "upper", "lower")


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: str
    function: str  # dotted, or <module>
    old: str
    new: str
    line: int
    make: Callable[[], ast.Module | str]  # the changed file
    name: str = ""  # of a mutant made by hand
    guard: str = ""  # the test that is there for it, where few of the many that enter the function can notice

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What a mutant is known by."""
        return self.path, self.function, self.old, self.new

    @property
    def known_as(self) -> str:
        """The same as one text."""
        return " | ".join(self.key)

    @property
    def module(self) -> str:
        """The module's dotted name."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    def rank(self, seed: int) -> str:
        """Its place in a seeded sample, which changes elsewhere do not move."""
        return sha256(f"{seed} {self.key}".encode()).hexdigest()

    def code(self, root: Path) -> Any:
        """The changed module, compiled."""
        return compile(self.make(), str(root / self.path), "exec", dont_inherit=True)


def mutants(path: str, source: str) -> list[Mutant]:
    """Every mutant of a file, none twice, and none that changes nothing: two equal numbers swapped."""
    tree = ast.parse(source)
    found = {one.key: one for one in _Walk(path, tree).all() if one.old != one.new}
    return list(found.values())


Field = tuple[str, int | None]


class _Walk:
    """Visits every expression that counts, and makes its mutants."""

    def __init__(self, path: str, tree: ast.Module) -> None:
        self.path, self.tree = path, tree
        self.parents = {child: (node, place) for node in ast.walk(tree) for child, place in _children(node)}
        self.skipped = _skipped(tree)

    def all(self) -> Iterator[Mutant]:
        for node in ast.walk(self.tree):
            if node not in self.skipped:
                parent = self.parents[node][0] if node in self.parents else None
                yield from (self._mutant(node, change) for change in changes(node, parent))

    def _mutant(self, node: ast.AST, changed: ast.AST) -> Mutant:
        shown = self._shown(node)
        new = _text(_replaced(shown, self._trail(shown, node), changed))
        line = getattr(node, "lineno", 0)
        return Mutant(self.path, self._function(node), _text(shown), new, line, lambda: self._tree(node, changed))

    def _tree(self, node: ast.AST, changed: ast.AST) -> ast.Module:
        tree = _replaced(self.tree, self._trail(self.tree, node), changed)
        assert isinstance(tree, ast.Module)
        return ast.fix_missing_locations(tree)

    def _shown(self, node: ast.AST) -> ast.AST:
        """The node, with enough around it to be found."""
        while isinstance(node, ast.expr | ast.arguments | ast.keyword) and len(_text(node)) < SHOWN:
            node = self.parents[node][0]
        return node

    def _trail(self, root: ast.AST, node: ast.AST) -> list[Field]:
        """The fields that lead from the root to the node."""
        trail = []
        while node is not root:
            node, place = self.parents[node]
            trail.append(place)
        return trail[::-1]

    def _function(self, node: ast.AST) -> str:
        names = []
        while node in self.parents:
            node = self.parents[node][0]
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names.append(node.name)
        return ".".join(reversed(names)) or "<module>"


def function_at(source: str, line: int) -> str:
    """The function that a line belongs to."""
    walk = _walk(source)
    inside = [node for node in ast.walk(walk.tree) if getattr(node, "lineno", 0) == line and node in walk.parents]
    return walk._function(inside[-1]) if inside else "<module>"


@cache
def _walk(source: str) -> _Walk:
    return _Walk("", ast.parse(source))


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, Field]]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield value, (name, None)
        elif isinstance(value, list):
            yield from ((one, (name, place)) for place, one in enumerate(value) if isinstance(one, ast.AST))


def _text(node: ast.AST) -> str:
    """Source on one line; of a compound statement its head."""
    return " ".join(ast.unparse(node).split("\n")[0].split())


def _replaced(root: ast.AST, trail: list[Field], changed: ast.AST) -> ast.AST:
    """A copy of the root with another node at the end of the trail; nothing else is copied."""
    if not trail:
        return changed
    (name, place), rest = trail[0], trail[1:]
    other = copy.copy(root)
    value = getattr(root, name)
    if place is None:
        setattr(other, name, _replaced(value, rest, changed))
    else:
        one = _replaced(value[place], rest, changed)
        setattr(other, name, [*value[:place], one, *value[place + 1 :]])
    return other


def _skipped(tree: ast.Module) -> set[ast.AST]:
    """What no test could or should notice: prose, annotations, decorators, imports, assertions and error messages."""
    tops: list[ast.AST] = []
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef():
                tops += [*node.decorator_list, *filter(None, [node.returns])]
            case ast.ClassDef():
                tops += [*node.decorator_list, *node.bases, *(one for one in node.body if _declares(one))]
            case ast.arg() | ast.AnnAssign():
                tops += filter(None, [node.annotation])
            case ast.JoinedStr() | ast.Assert() | ast.Raise() | ast.Import() | ast.ImportFrom():
                tops.append(node)
            case ast.Expr(value=ast.Constant()):
                tops.append(node)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                tops.append(node)
    return {one for top in tops for one in ast.walk(top)}


def _declares(node: ast.AST) -> bool:
    """A field without a value, or one whose value is text."""
    if isinstance(node, ast.AnnAssign):
        return node.value is None
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.JoinedStr | ast.Tuple)


# -- the changes --------------------------------------------------------------------------------------


def changes(node: ast.AST, parent: ast.AST | None) -> Iterator[ast.AST]:
    """What a node can be changed into."""
    maker = MAKERS.get(type(node))
    if maker is not None:
        yield from maker(node, parent)


def _binary(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    for kind in SWAPPED_OPERATORS.get(type(node.op), ()):
        yield ast.BinOp(node.left, kind(), node.right)  # type: ignore[arg-type]
    yield node.left
    if isinstance(node.op, ast.Add | ast.Mult):
        yield node.right


def _comparison(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    for place, op in enumerate(node.ops):
        for kind in SWAPPED_OPERATORS.get(type(op), ()):
            ops = [*node.ops[:place], kind(), *node.ops[place + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)


def _boolean(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    yield ast.BoolOp(SWAPPED_OPERATORS[type(node.op)][0](), node.values)  # type: ignore[arg-type]
    for place in range(len(node.values)):
        left = [*node.values[:place], *node.values[place + 1 :]]
        yield left[0] if len(left) == 1 else ast.BoolOp(node.op, left)


def _unary(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.USub) and not isinstance(node.operand, ast.Constant):
        yield node.operand


def _constant(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(parent, ast.keyword) and parent.arg == "strict":
        return
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield from (ast.Constant(one) for one in (value + 1, value - 1))
        if value > 2:
            yield ast.Constant(2 * value)
    elif isinstance(value, float):
        yield ast.Constant(2 * value if value else 1.0)
    elif value in SWAPPED_TEXTS:
        yield ast.Constant(SWAPPED_TEXTS[value])


def _call(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in FREE_NAMES:
        yield ast.Call(ast.Name(SWAPPED_NAMES[node.func.id], ast.Load()), node.args, node.keywords)
    if isinstance(node.func, ast.Name) and node.func.id == "range" and len(node.args) <= 2:
        for op in (ast.Add(), ast.Sub()):
            end = ast.BinOp(node.args[-1], op, ast.Constant(1))
            yield ast.Call(node.func, [*node.args[:-1], end], node.keywords)
    if isinstance(node.func, ast.Name) and node.func.id in SYMMETRIC and len(node.args) == 2:
        yield ast.Call(node.func, node.args[::-1], node.keywords)


def _attribute(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    if node.attr in SWAPPED_NAMES and isinstance(node.ctx, ast.Load):
        yield ast.Attribute(node.value, SWAPPED_NAMES[node.attr], node.ctx)


def _tuple(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    """One of the inequalities left out; the two parts of an answer swapped."""
    if not isinstance(node.ctx, ast.Load) or isinstance(parent, ast.Subscript | ast.Compare | ast.For):
        return
    if len(node.elts) == 2:
        yield ast.Tuple(node.elts[::-1], node.ctx)
    for place, one in enumerate(node.elts):
        if isinstance(one, ast.Call | ast.Starred) and len(node.elts) > 1:
            yield ast.Tuple([*node.elts[:place], *node.elts[place + 1 :]], node.ctx)


def _choice(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    yield from (node.body, node.orelse)


def _if(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    for value in (True, False):
        yield ast.If(ast.Constant(value), node.body, node.orelse, lineno=node.lineno, col_offset=0)


def _statement(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    yield ast.Pass()


def _effect(node: Any, parent: ast.AST | None) -> Iterator[ast.AST]:
    if isinstance(node.value, ast.Call):
        yield ast.Pass()


Maker = Callable[[Any, ast.AST | None], Iterator[ast.AST]]
MAKERS: dict[type[ast.AST], Maker] = {
    ast.BinOp: _binary, ast.Compare: _comparison, ast.BoolOp: _boolean, ast.UnaryOp: _unary, ast.Constant: _constant,
    ast.Call: _call, ast.Attribute: _attribute, ast.Tuple: _tuple, ast.IfExp: _choice, ast.If: _if,
    ast.AugAssign: _statement, ast.Expr: _effect,
}  # fmt: skip

"""Lowering of the expressions of Python's tree to the IR.

The functions are reached through one table from node type to function; each takes a node and gives one of the IR.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from aoti_lint.ir import literals, nodes
from aoti_lint.ir.from_ast import fstrings
from aoti_lint.ir.from_ast.gaps import after_blank, after_for, around, closed, opened, row_starts
from aoti_lint.ir.from_ast.operators import BINARY, COMPARE, UNARY
from aoti_lint.ir.literals import with_sign
from aoti_lint.ir.stack import MAX_DEPTH, TooDeep

_PLACE = attrgetter("lineno", "col_offset", "end_lineno", "end_col_offset")
_STARS = {"var": b"*", "kwvar": b"**"}


class ExpressionLowering:
    """Lowers the expressions of one source, or of a part of it."""

    def __init__(self, data: bytes, rows: list[int]) -> None:
        """`rows` says where the rows of what Python has parsed start in `data`, which is the whole source."""
        self.data = data
        self.rows = rows
        self.saw_yield = False
        self._depth = 0

    def place(self, node: Any) -> tuple[int, int]:
        """Start and end of a node."""
        row, column, last, end = _PLACE(node)
        rows = self.rows
        return rows[row] + column, rows[last] + end

    def expr(self, node: ast.expr) -> nodes.Expr:
        """Lower any expression."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise TooDeep
        lowered = _EXPRESSIONS[type(node)](self, node)
        self._depth -= 1
        return lowered

    def maybe(self, node: ast.expr | None) -> nodes.Expr | None:
        """Lower an expression that may be absent."""
        return None if node is None else self.expr(node)

    def exprs(self, these: Sequence[ast.expr]) -> list[nodes.Expr]:
        """Lower several expressions."""
        return [self.expr(node) for node in these]

    # ------------------------------------------------------------ names and literals

    def _name(self, node: ast.Name) -> nodes.Name:
        return nodes.Name(*self.place(node), node.id)

    def _attribute(self, node: ast.Attribute) -> nodes.Attr:
        return nodes.Attr(*self.place(node), self.expr(node.value), node.attr)

    def _constant(self, node: ast.Constant) -> nodes.Const:
        return nodes.Const(*self.place(node), node.value)

    # ------------------------------------------------------------ f-strings

    def _format(self, node: ast.expr) -> nodes.Format:
        start, end = self.place(node)
        parts: list[nodes.Expr] = []
        for literal in fstrings.literals_of(self.data, start, end):
            if literal.pieces is None:
                text = self.data[literal.start : literal.end].decode()
                parts.append(nodes.Const(literal.start, literal.end, literals.string_value(text)))
            else:
                parts += self._parts(literal.pieces, literal.opening)
        return nodes.Format(start, end, parts)

    def _parts(self, pieces: Sequence[fstrings.Piece], opening: str) -> list[nodes.Expr]:
        parts: list[nodes.Expr] = []
        for piece in pieces:
            if isinstance(piece, tuple):
                text = self.data[slice(*piece)].decode()
                parts.append(nodes.Const(*piece, literals.format_text_value(text, opening)))
                continue
            conversion, spec = piece.conversion, piece.spec
            if piece.shown is not None:
                first = piece.start + 1
                parts.append(nodes.Const(first, piece.shown, self.data[first : piece.shown].decode()))
                if conversion is None and spec is None:
                    conversion = "r"
            value = self._field(piece.start + 1, piece.code)
            parts.append(nodes.FormatField(piece.start, piece.end, value, conversion, self._parts(spec or (), opening)))
        return parts

    def _field(self, start: int, end: int) -> nodes.Expr:
        """Lower the expression of a replacement field, which stands between two places."""
        outer, self.rows = self.rows, row_starts(self.data, start, end)
        self.rows[1] -= 1
        tree = compile(f"({self.data[start:end].decode()})", "", "eval", ast.PyCF_ONLY_AST, dont_inherit=True)
        assert isinstance(tree, ast.Expression)
        value = self.expr(tree.body)
        self.rows = outer
        if isinstance(value, (nodes.Seq, nodes.Comp)) and value.start < start:
            # The brackets are ours, and were taken for those of a tuple or, before 3.12, of a generator.
            last = value.items[-1].end if isinstance(value, nodes.Seq) else value.generators[-1].end
            last = [last, *closed(self.data, last)][-1]
            comma = after_blank(self.data, last)
            value.start, value.end = after_blank(self.data, start), comma + 1 if self.data[comma] == ord(",") else last
        return value

    # ------------------------------------------------------------ operations

    def _binary(self, node: ast.BinOp) -> nodes.Bin:
        return nodes.Bin(*self.place(node), BINARY[type(node.op)], self.expr(node.left), self.expr(node.right))

    def _unary(self, node: ast.UnaryOp) -> nodes.Const | nodes.Unary:
        return with_sign(*self.place(node), UNARY[type(node.op)], self.expr(node.operand))

    def _boolean(self, node: ast.BoolOp) -> nodes.Bool:
        op = "and" if type(node.op) is ast.And else "or"
        return nodes.Bool(*self.place(node), op, self.exprs(node.values))

    def _comparison(self, node: ast.Compare) -> nodes.Compare:
        ops = [COMPARE[type(op)] for op in node.ops]
        return nodes.Compare(*self.place(node), self.expr(node.left), ops, self.exprs(node.comparators))

    def _conditional(self, node: ast.IfExp) -> nodes.IfExp:
        return nodes.IfExp(*self.place(node), self.expr(node.test), self.expr(node.body), self.expr(node.orelse))

    def _walrus(self, node: ast.NamedExpr) -> nodes.Walrus:
        return nodes.Walrus(*self.place(node), self.expr(node.target), self.expr(node.value))

    def _await(self, node: ast.Await) -> nodes.Await:
        return nodes.Await(*self.place(node), self.expr(node.value))

    def _yield(self, node: ast.Yield | ast.YieldFrom) -> nodes.Yield:
        self.saw_yield = True
        return nodes.Yield(*self.place(node), self.maybe(node.value), type(node) is ast.YieldFrom)

    # ------------------------------------------------------------ calls, subscripts, displays

    def _call(self, node: ast.Call) -> nodes.Call:
        func = self.expr(node.func)
        return nodes.Call(*self.place(node), func, self.arguments(func.end, node.args, node.keywords))

    def arguments(self, before: int, args: list[ast.expr], keywords: list[ast.keyword]) -> list[nodes.Arg]:
        """Lower the arguments of a call or class header, in the order they are written.

        `before` is where ends what stands before their bracket.
        """
        written: list[Any] = [*args, *keywords]
        if args and keywords and type(args[-1]) is ast.Starred:
            written.sort(key=self.place)
        lowered: list[nodes.Arg] = []
        for one in written:
            start, end = self.place(one)
            if type(one) is ast.keyword:
                lowered.append(nodes.Arg(start, end, self.expr(one.value), one.arg, 0 if one.arg else 2))
            elif type(one) is ast.Starred:
                lowered.append(nodes.Arg(start, end, self.expr(one.value), None, 1))
            else:
                value = self.expr(one)
                if type(one) is ast.GeneratorExp and not lowered and not opened(self.data, before, start):
                    start, end = self._without_brackets(value)
                else:
                    start, end = around(self.data, before, start, end, not lowered)
                lowered.append(nodes.Arg(start, end, value))
            before = end
        return lowered

    def _without_brackets(self, generator: nodes.Expr) -> tuple[int, int]:
        """The place of a generator whose brackets are those of a call."""
        assert isinstance(generator, nodes.Comp)
        last = generator.generators[-1].end
        end = max([last, *(end for end in closed(self.data, last) if end < generator.end)])
        return after_blank(self.data, generator.start + 1), end

    def _subscript(self, node: ast.Subscript) -> nodes.Sub:
        base = self.expr(node.value)
        index = node.slice
        if type(index) is ast.Tuple and not self._in_brackets(index):
            items = self.exprs(index.elts)
            return nodes.Sub(*self.place(node), base, nodes.Seq(items[0].start, items[-1].end, "tuple", items))
        return nodes.Sub(*self.place(node), base, self.expr(index))

    def _in_brackets(self, node: ast.Tuple) -> bool:
        """Whether a tuple has parentheses, be they around it or around its first item."""
        start, _ = self.place(node)
        if not node.elts:
            return True
        first, end = self.place(node.elts[0])
        return len(opened(self.data, start, first)) > len(closed(self.data, end))

    def _slice(self, node: ast.Slice) -> nodes.Slice:
        return nodes.Slice(*self.place(node), self.maybe(node.lower), self.maybe(node.upper), self.maybe(node.step))

    def _sequence(self, node: ast.Tuple | ast.List | ast.Set) -> nodes.Seq:
        return nodes.Seq(*self.place(node), _KINDS[type(node)], self.exprs(node.elts))

    def _starred(self, node: ast.Starred) -> nodes.Star:
        return nodes.Star(*self.place(node), self.expr(node.value))

    def _dict(self, node: ast.Dict) -> nodes.DictDisplay:
        return nodes.DictDisplay(*self.place(node), [self.maybe(key) for key in node.keys], self.exprs(node.values))

    # ------------------------------------------------------------ functions and comprehensions

    def _lambda(self, node: ast.Lambda) -> nodes.Lambda:
        params = self.parameters(node.args)
        outer = self.saw_yield
        body = self.expr(node.body)
        self.saw_yield = outer
        return nodes.Lambda(*self.place(node), params, body)

    def parameters(self, node: ast.arguments) -> list[nodes.Param]:
        """Lower the parameters of a function or lambda, in the order they are written."""
        without = len(node.posonlyargs) + len(node.args) - len(node.defaults)
        defaults: list[ast.expr | None] = [*[None] * without, *node.defaults]
        kinds = ["pos"] * len(node.posonlyargs) + ["any"] * len(node.args)
        positional = zip([*node.posonlyargs, *node.args], kinds, defaults, strict=True)
        lowered = [self._parameter(param, kind, default) for param, kind, default in positional]
        if node.vararg is not None:
            lowered.append(self._parameter(node.vararg, "var", None))
        for param, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            lowered.append(self._parameter(param, "kw", default))
        if node.kwarg is not None:
            lowered.append(self._parameter(node.kwarg, "kwvar", None))
        return lowered

    def _parameter(self, node: ast.arg, kind: str, default: ast.expr | None) -> nodes.Param:
        start, end = self.place(node)
        if kind in _STARS:
            start = self.data.rindex(_STARS[kind], 0, start)
        annotation, value = self.maybe(node.annotation), self.maybe(default)
        last = value or annotation
        return nodes.Param(start, end if last is None else last.end, node.arg, kind, annotation, value)

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> nodes.Comp:
        element = self.expr(node.elt)
        return nodes.Comp(
            *self.place(node), _KINDS[type(node)], element, self._generators(element.end, node.generators)
        )

    def _dict_comprehension(self, node: ast.DictComp) -> nodes.Comp:
        start, end = self.place(node)
        key = self.expr(node.key)
        if node.value is None:
            # `**` before a dictionary, from 3.15 on.
            both: nodes.Expr = nodes.Star(after_blank(self.data, start + 1), key.end, key)
            return nodes.Comp(start, end, "dict", both, self._generators(key.end, node.generators))
        value = self.expr(node.value)
        return nodes.Comp(start, end, "dict", value, self._generators(value.end, node.generators), key)

    def _generators(self, before: int, clauses: Sequence[ast.comprehension]) -> list[nodes.Generator]:
        """Lower the `for` clauses of a comprehension that follow what ends at `before`."""
        lowered: list[nodes.Generator] = []
        for clause in clauses:
            start = after_for(self.data, before) - 3
            target, iterable, tests = self.expr(clause.target), self.expr(clause.iter), self.exprs(clause.ifs)
            before = tests[-1].end if tests else iterable.end
            lowered.append(nodes.Generator(start, before, target, iterable, tests, bool(clause.is_async)))
        return lowered


_KINDS: dict[type, str] = {
    ast.Tuple: "tuple",
    ast.List: "list",
    ast.Set: "set",
    ast.ListComp: "list",
    ast.SetComp: "set",
    ast.GeneratorExp: "generator",
}

_BY_NAME: dict[str, Callable[[Any, Any], nodes.Expr]] = {
    "Name": ExpressionLowering._name,
    "Attribute": ExpressionLowering._attribute,
    "Constant": ExpressionLowering._constant,
    "Call": ExpressionLowering._call,
    "Subscript": ExpressionLowering._subscript,
    "Slice": ExpressionLowering._slice,
    "JoinedStr": ExpressionLowering._format,
    "TemplateStr": ExpressionLowering._format,
    "BinOp": ExpressionLowering._binary,
    "UnaryOp": ExpressionLowering._unary,
    "BoolOp": ExpressionLowering._boolean,
    "Compare": ExpressionLowering._comparison,
    "IfExp": ExpressionLowering._conditional,
    "Tuple": ExpressionLowering._sequence,
    "List": ExpressionLowering._sequence,
    "Set": ExpressionLowering._sequence,
    "Starred": ExpressionLowering._starred,
    "Dict": ExpressionLowering._dict,
    "Lambda": ExpressionLowering._lambda,
    "ListComp": ExpressionLowering._comprehension,
    "SetComp": ExpressionLowering._comprehension,
    "GeneratorExp": ExpressionLowering._comprehension,
    "DictComp": ExpressionLowering._dict_comprehension,
    "NamedExpr": ExpressionLowering._walrus,
    "Await": ExpressionLowering._await,
    "Yield": ExpressionLowering._yield,
    "YieldFrom": ExpressionLowering._yield,
}
# Not every Python has all of them.
_EXPRESSIONS = {getattr(ast, name): method for name, method in _BY_NAME.items() if hasattr(ast, name)}

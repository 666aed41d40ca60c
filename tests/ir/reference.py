"""Compares IR with the tree Python's own parser makes of the same text, node by node and place by place."""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from typing import Any

from aoti_lint.ir import nodes
from aoti_lint.text.lines import LineIndex

_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
_UNARY = {ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not"}
_COMPARE = {
    ast.Lt: "<", ast.Gt: ">", ast.Eq: "==", ast.LtE: "<=", ast.GtE: ">=", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip
# Before 3.12 Python gave what stands inside f-strings no usable places.
_PLACES_IN_FORMATS = sys.version_info >= (3, 12)


class Comparison:
    """Checks one module; every method raises `AssertionError` at the first difference."""

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        lines = LineIndex(text)
        self.starts = [lines.offset(row, 1) for row in range(1, lines.rows + 1)]
        self.compared = 0
        self._placeless = 0

    def module(self, got: nodes.Module, want: ast.Module) -> None:
        assert (got.start, got.end) == (0, len(self.data))
        self.body(got.body, want.body)

    # ------------------------------------------------------------ places

    def span(self, want: Any) -> tuple[int, int]:
        return (
            self.starts[want.lineno - 1] + want.col_offset,
            self.starts[want.end_lineno - 1] + want.end_col_offset,
        )

    def same_place(self, got: nodes.Node, want: Any) -> None:
        self.compared += 1
        if self._placeless:
            return
        expected = self.span(want)
        assert (got.start, got.end) == expected, (
            f"{type(got).__name__} at {got.start}..{got.end} {self.data[got.start : got.end]!r}, "
            f"expected {expected} {self.data[slice(*expected)]!r}"
        )

    # ------------------------------------------------------------ expressions

    def maybe(self, got: nodes.Expr | None, want: ast.expr | None) -> None:
        assert (got is None) == (want is None)
        if got is not None and want is not None:
            self.expr(got, want)

    def exprs(self, got: Sequence[nodes.Expr], want: Sequence[ast.expr]) -> None:
        for one, other in zip(got, want, strict=True):
            self.expr(one, other)

    def expr(self, got: nodes.Expr, want: ast.expr) -> None:
        self.same_place(got, want)
        getattr(self, f"on_{type(want).__name__}")(got, want)

    def on_Constant(self, got: Any, want: ast.Constant) -> None:
        assert type(got) is nodes.Const
        assert type(got.value) is type(want.value)
        assert repr(got.value) == repr(want.value)

    def on_Name(self, got: Any, want: ast.Name) -> None:
        assert type(got) is nodes.Name
        assert got.id == want.id

    def on_Attribute(self, got: Any, want: ast.Attribute) -> None:
        assert type(got) is nodes.Attr
        assert got.name == want.attr
        self.expr(got.base, want.value)

    def on_Subscript(self, got: Any, want: ast.Subscript) -> None:
        assert type(got) is nodes.Sub
        self.expr(got.base, want.value)
        if isinstance(want.slice, ast.Tuple) and not self.data[got.index.start : got.index.end].startswith(b"("):
            assert type(got.index) is nodes.Seq
            assert got.index.kind == "tuple"
            self.exprs(got.index.items, want.slice.elts)
        else:
            self.expr(got.index, want.slice)

    def on_Slice(self, got: Any, want: ast.Slice) -> None:
        assert type(got) is nodes.Slice
        self.maybe(got.lower, want.lower)
        self.maybe(got.upper, want.upper)
        self.maybe(got.step, want.step)

    def on_Call(self, got: Any, want: ast.Call) -> None:
        assert type(got) is nodes.Call
        self.expr(got.func, want.func)
        self.arguments(got.args, want.args, want.keywords)

    def arguments(self, got: list[nodes.Arg], args: list[ast.expr], keywords: list[ast.keyword]) -> None:
        want: list[Any] = [*args, *keywords]
        if not self._placeless:
            want.sort(key=lambda arg: (arg.lineno, arg.col_offset))
        for one, other in zip(got, want, strict=True):
            assert not self.data[one.start : one.end].endswith(b",") or self._placeless
            if isinstance(other, ast.keyword):
                assert (one.name, one.stars) == (other.arg, 2 if other.arg is None else 0)
                self.expr(one.value, other.value)
                if one.name:
                    assert self._placeless or one.start == self.span(other)[0]
            elif isinstance(other, ast.Starred):
                assert (one.name, one.stars) == (None, 1)
                assert self._placeless or one.start == self.span(other)[0]
                self.expr(one.value, other.value)
            else:
                assert (one.name, one.stars) == (None, 0)
                self.expr(one.value, other)

    def on_BinOp(self, got: Any, want: ast.BinOp) -> None:
        assert type(got) is nodes.Bin
        assert got.op == _BINARY[type(want.op)]
        self.expr(got.left, want.left)
        self.expr(got.right, want.right)

    def on_UnaryOp(self, got: Any, want: ast.UnaryOp) -> None:
        op = _UNARY[type(want.op)]
        if type(got) is nodes.Const:
            assert repr(got.value) == repr(eval(compile(ast.Expression(want), "", "eval")))
            return
        assert type(got) is nodes.Unary
        assert got.op == op
        self.expr(got.value, want.operand)

    def on_BoolOp(self, got: Any, want: ast.BoolOp) -> None:
        assert type(got) is nodes.Bool
        assert got.op == ("and" if isinstance(want.op, ast.And) else "or")
        self.exprs(got.values, want.values)

    def on_Compare(self, got: Any, want: ast.Compare) -> None:
        assert type(got) is nodes.Compare
        assert got.ops == [_COMPARE[type(op)] for op in want.ops]
        self.exprs([got.left, *got.rights], [want.left, *want.comparators])

    def on_IfExp(self, got: Any, want: ast.IfExp) -> None:
        assert type(got) is nodes.IfExp
        self.exprs([got.test, got.body, got.orelse], [want.test, want.body, want.orelse])

    def on_Tuple(self, got: Any, want: ast.Tuple | ast.List | ast.Set) -> None:
        assert type(got) is nodes.Seq
        assert got.kind == type(want).__name__.lower()
        self.exprs(got.items, want.elts)

    on_List = on_Set = on_Tuple

    def on_Starred(self, got: Any, want: ast.Starred) -> None:
        assert type(got) is nodes.Star
        self.expr(got.value, want.value)

    def on_Dict(self, got: Any, want: ast.Dict) -> None:
        assert type(got) is nodes.DictDisplay
        for one, other in zip(got.keys, want.keys, strict=True):
            self.maybe(one, other)
        self.exprs(got.values, want.values)

    def on_Lambda(self, got: Any, want: ast.Lambda) -> None:
        assert type(got) is nodes.Lambda
        self.parameters(got.params, want.args)
        self.expr(got.body, want.body)

    def on_ListComp(self, got: Any, want: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        assert type(got) is nodes.Comp
        assert got.kind == {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "generator"}[type(want)]
        self.expr(got.element, want.elt)
        self.generators(got.generators, want.generators)

    on_SetComp = on_GeneratorExp = on_ListComp

    def on_DictComp(self, got: Any, want: ast.DictComp) -> None:
        assert type(got) is nodes.Comp
        assert got.kind == "dict"
        self.maybe(got.key, want.key)
        self.maybe(got.element, want.value)
        self.generators(got.generators, want.generators)

    def generators(self, got: list[nodes.Generator], want: list[ast.comprehension]) -> None:
        for one, other in zip(got, want, strict=True):
            assert one.is_async == bool(other.is_async)
            assert self.data[one.start :].startswith(b"for")
            self.exprs([one.target, one.iter, *one.tests], [other.target, other.iter, *other.ifs])

    def on_NamedExpr(self, got: Any, want: ast.NamedExpr) -> None:
        assert type(got) is nodes.Walrus
        self.expr(got.target, want.target)
        self.expr(got.value, want.value)

    def on_Await(self, got: Any, want: ast.Await) -> None:
        assert type(got) is nodes.Await
        self.expr(got.value, want.value)

    def on_Yield(self, got: Any, want: ast.Yield | ast.YieldFrom) -> None:
        assert type(got) is nodes.Yield
        assert got.is_from == isinstance(want, ast.YieldFrom)
        self.maybe(got.value, want.value)

    on_YieldFrom = on_Yield

    def on_JoinedStr(self, got: Any, want: Any) -> None:
        assert type(got) is nodes.Format
        self._placeless += not _PLACES_IN_FORMATS
        self.format_parts(got.parts, want.values)
        self._placeless -= not _PLACES_IN_FORMATS

    on_TemplateStr = on_JoinedStr

    def format_parts(self, got: list[nodes.Expr], want: list[Any]) -> None:
        merged = _merged([part.value if isinstance(part, nodes.Const) else part for part in got])
        expected = _merged([part.value if isinstance(part, ast.Constant) else part for part in want])
        for one, other in zip(merged, expected, strict=True):
            if isinstance(one, str):
                assert one == other, (one, other)
                continue
            assert type(one) is nodes.FormatField
            if not self._placeless:
                assert self.data[one.start : one.start + 1] == b"{"
                assert self.data[one.end - 1 : one.end] == b"}"
            assert one.conversion == (None if other.conversion == -1 else chr(other.conversion))
            self.expr(one.value, other.value)
            self.format_parts(one.spec, [] if other.format_spec is None else other.format_spec.values)

    # ------------------------------------------------------------ statements

    def body(self, got: list[nodes.Stmt], want: list[ast.stmt]) -> None:
        for one, other in zip(got, want, strict=True):
            if not getattr(other, "decorator_list", None):
                self.same_place(one, other)
            getattr(self, f"on_{type(other).__name__}")(one, other)

    def on_Expr(self, got: Any, want: ast.Expr) -> None:
        assert type(got) is nodes.ExprStmt
        self.expr(got.value, want.value)

    def on_Assign(self, got: Any, want: ast.Assign) -> None:
        assert type(got) is nodes.Assign
        self.exprs([*got.targets, got.value], [*want.targets, want.value])

    def on_AugAssign(self, got: Any, want: ast.AugAssign) -> None:
        assert type(got) is nodes.AugAssign
        assert got.op == _BINARY[type(want.op)]
        self.exprs([got.target, got.value], [want.target, want.value])

    def on_AnnAssign(self, got: Any, want: ast.AnnAssign) -> None:
        assert type(got) is nodes.AnnAssign
        self.exprs([got.target, got.annotation], [want.target, want.annotation])
        self.maybe(got.value, want.value)

    def on_TypeAlias(self, got: Any, want: Any) -> None:
        assert type(got) is nodes.Assign
        self.exprs([*got.targets, got.value], [want.name, want.value])

    def on_Return(self, got: Any, want: ast.Return) -> None:
        assert type(got) is nodes.Return
        self.maybe(got.value, want.value)

    def on_Raise(self, got: Any, want: ast.Raise) -> None:
        assert type(got) is nodes.Raise
        self.maybe(got.exc, want.exc)
        self.maybe(got.cause, want.cause)

    def on_Assert(self, got: Any, want: ast.Assert) -> None:
        assert type(got) is nodes.Assert
        self.expr(got.test, want.test)
        self.maybe(got.message, want.msg)

    def on_Delete(self, got: Any, want: ast.Delete) -> None:
        assert type(got) is nodes.Delete
        self.exprs(got.targets, want.targets)

    def on_Global(self, got: Any, want: ast.Global | ast.Nonlocal) -> None:
        assert type(got) is nodes.Scope
        assert (got.kind, got.names) == (type(want).__name__.lower(), want.names)

    on_Nonlocal = on_Global

    def on_Pass(self, got: Any, want: ast.Pass | ast.Break | ast.Continue) -> None:
        assert type(got) is nodes.Jump
        assert got.kind == type(want).__name__.lower()

    on_Break = on_Continue = on_Pass

    def on_If(self, got: Any, want: ast.If | ast.While) -> None:
        assert type(got).__name__ == type(want).__name__
        self.expr(got.test, want.test)
        self.body(got.body, want.body)
        self.body(got.orelse, want.orelse)

    on_While = on_If

    def on_For(self, got: Any, want: ast.For | ast.AsyncFor) -> None:
        assert type(got) is nodes.For
        assert got.is_async == isinstance(want, ast.AsyncFor)
        self.exprs([got.target, got.iter], [want.target, want.iter])
        self.body(got.body, want.body)
        self.body(got.orelse, want.orelse)

    on_AsyncFor = on_For

    def on_Try(self, got: Any, want: Any) -> None:
        assert type(got) is nodes.Try
        for body, other in ((got.body, want.body), (got.orelse, want.orelse), (got.final, want.finalbody)):
            self.body(body, other)
        for handler, expected in zip(got.handlers, want.handlers, strict=True):
            self.same_place(handler, expected)
            assert handler.name == expected.name
            assert handler.is_star == (type(want).__name__ == "TryStar")
            self.maybe(handler.type, expected.type)
            self.body(handler.body, expected.body)

    on_TryStar = on_Try

    def on_With(self, got: Any, want: ast.With | ast.AsyncWith) -> None:
        assert type(got) is nodes.With
        assert got.is_async == isinstance(want, ast.AsyncWith)
        for item, expected in zip(got.items, want.items, strict=True):
            self.expr(item.value, expected.context_expr)
            self.maybe(item.target, expected.optional_vars)
        self.body(got.body, want.body)

    on_AsyncWith = on_With

    def on_FunctionDef(self, got: Any, want: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        assert type(got) is nodes.FunctionDef
        assert (got.name, got.is_async) == (want.name, isinstance(want, ast.AsyncFunctionDef))
        assert got.is_generator == _yields(want.body)
        self.definition(got, want)
        self.parameters(got.params, want.args)
        self.maybe(got.returns, want.returns)
        self.body(got.body, want.body)

    on_AsyncFunctionDef = on_FunctionDef

    def on_ClassDef(self, got: Any, want: ast.ClassDef) -> None:
        assert type(got) is nodes.ClassDef
        assert got.name == want.name
        self.definition(got, want)
        self.arguments(got.args, want.bases, want.keywords)
        self.body(got.body, want.body)

    def definition(self, got: Any, want: Any) -> None:
        start, end = self.span(want)
        if want.decorator_list:
            start = self.data.rindex(b"@", 0, self.span(want.decorator_list[0])[0])
        assert (got.start, got.end) == (start, end)
        name = self.data[got.name_start : got.name_start + len(want.name.encode())]
        assert name.decode() == want.name or not want.name.isascii()
        self.exprs(got.decorators, want.decorator_list)

    def parameters(self, got: list[nodes.Param], want: ast.arguments) -> None:
        positional = [*want.posonlyargs, *want.args]
        defaults: list[ast.expr | None] = [None] * (len(positional) - len(want.defaults))
        defaults.extend(want.defaults)
        expected: list[tuple[str, ast.arg, ast.expr | None]] = [
            ("pos" if i < len(want.posonlyargs) else "any", arg, default)
            for i, (arg, default) in enumerate(zip(positional, defaults, strict=True))
        ]
        if want.vararg:
            expected.append(("var", want.vararg, None))
        expected.extend(("kw", arg, default) for arg, default in zip(want.kwonlyargs, want.kw_defaults, strict=True))
        if want.kwarg:
            expected.append(("kwvar", want.kwarg, None))
        for one, (kind, arg, default) in zip(got, expected, strict=True):
            assert (one.name, one.kind) == (arg.arg, kind)
            if not self._placeless and kind not in ("var", "kwvar"):
                assert one.start == self.span(arg)[0]
            self.maybe(one.annotation, arg.annotation)
            self.maybe(one.default, default)

    def on_Import(self, got: Any, want: ast.Import | ast.ImportFrom) -> None:
        assert type(got).__name__ == type(want).__name__
        if isinstance(want, ast.ImportFrom):
            assert (got.module, got.level) == (want.module or "", want.level)
            assert got.is_star == (want.names[0].name == "*")
            if got.is_star:
                assert got.names == []
                return
        for one, other in zip(got.names, want.names, strict=True):
            self.same_place(one, other)
            assert (one.dotted, one.name) == (other.name, other.asname)

    on_ImportFrom = on_Import

    def on_Match(self, got: Any, want: ast.Match) -> None:
        assert type(got) is nodes.Match
        self.expr(got.subject, want.subject)
        for case, expected in zip(got.cases, want.cases, strict=True):
            self.pattern(case.pattern, expected.pattern)
            self.maybe(case.guard, expected.guard)
            self.body(case.body, expected.body)

    def pattern(self, got: nodes.Pattern, want: Any) -> None:
        self.same_place(got, want)
        inner = got.patterns
        if isinstance(want, ast.MatchSingleton):
            assert isinstance(got.value, nodes.Const)
            assert (got.kind, got.value.value) == ("value", want.value)
        elif isinstance(want, ast.MatchValue):
            assert got.kind == "value"
            self.maybe(got.value, want.value)
        elif isinstance(want, ast.MatchAs):
            assert (got.kind, got.name) == ("capture", want.name)
            assert len(inner) == (want.pattern is not None)
            for one in inner:
                self.pattern(one, want.pattern)
        elif isinstance(want, ast.MatchStar):
            assert (got.kind, got.name) == ("star", want.name)
        else:
            kind = {ast.MatchOr: "or", ast.MatchSequence: "sequence", ast.MatchMapping: "mapping"}
            assert got.kind == kind.get(type(want), "class")
            expected = list(want.patterns)
            if isinstance(want, ast.MatchMapping):
                assert got.name == want.rest
                self.exprs(got.keys, want.keys)
            if isinstance(want, ast.MatchClass):
                self.maybe(got.value, want.cls)
                expected += want.kwd_patterns
                assert got.keywords == want.kwd_attrs
            for one, other in zip(inner, expected, strict=True):
                self.pattern(one, other)


def compare(text: str, module: nodes.Module) -> int:
    """Compare the IR of `text` with Python's own tree; gives how many nodes were compared.

    Raises `AssertionError` at the first difference.
    """
    comparison = Comparison(text)
    comparison.module(module, ast.parse(text))
    return comparison.compared


def _merged(parts: list[Any]) -> list[Any]:
    """`parts` with adjacent texts joined and empty ones left out."""
    merged: list[Any] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return merged


def _yields(body: Sequence[ast.AST]) -> bool:
    """Whether a function with this body is a generator."""
    todo = list(body)
    while todo:
        node = todo.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            todo.extend([*node.decorator_list, *node.args.defaults, *[d for d in node.args.kw_defaults if d]])
        elif isinstance(node, ast.Lambda):
            todo.extend([*node.args.defaults, *[d for d in node.args.kw_defaults if d]])
        elif isinstance(node, ast.ClassDef):
            todo.extend([*node.decorator_list, *node.bases])
        else:
            todo.extend(ast.iter_child_nodes(node))
    return False

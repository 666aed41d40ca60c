"""Lowering of the statements of Python's tree to the IR; see `aoti_lint.ir.from_ast.expressions` for the manner."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from aoti_lint.ir import nodes
from aoti_lint.ir.from_ast.expressions import ExpressionLowering
from aoti_lint.ir.from_ast.gaps import after_blank, after_header, closed, line_with, opened
from aoti_lint.ir.from_ast.operators import BINARY
from aoti_lint.ir.from_ast.patterns import pattern

_ALWAYS_IN_BRACKETS = (ast.NamedExpr, ast.Yield, ast.YieldFrom)
"""What is no item of a `with` without brackets of its own."""


class StatementLowering(ExpressionLowering):
    """Lowers the statements of one source, or of a part of it."""

    def __init__(self, data: bytes, rows: list[int], later: Mapping[ast.AST, nodes.Later] | None = None) -> None:
        """`later` has the bodies of functions that are not lowered now."""
        super().__init__(data, rows)
        self._later = later or {}

    def whole(self, node: ast.stmt | ast.ExceptHandler) -> tuple[int, int]:
        """Start and end of what holds statements. Python counts a semicolon after the last of them to it."""
        start, end = self.place(node)
        if self.data[end - 1] == ord(";"):
            end = start + len(self.data[start:end].rstrip(b"; \t\f\r\n\\"))
        return start, end

    def body(self, statements: Sequence[ast.stmt]) -> list[nodes.Stmt]:
        """Lower the statements of a block."""
        return [_STATEMENTS[type(node)](self, node) for node in statements]

    # ------------------------------------------------------------ simple statements

    def _expression(self, node: ast.Expr) -> nodes.ExprStmt:
        return nodes.ExprStmt(*self.place(node), self.expr(node.value))

    def _assign(self, node: ast.Assign) -> nodes.Assign:
        return nodes.Assign(*self.place(node), self.exprs(node.targets), self.expr(node.value))

    def _annotated(self, node: ast.AnnAssign) -> nodes.AnnAssign:
        target, annotation = self.expr(node.target), self.expr(node.annotation)
        return nodes.AnnAssign(*self.place(node), target, annotation, self.maybe(node.value))

    def _augmented(self, node: ast.AugAssign) -> nodes.AugAssign:
        op = BINARY[type(node.op)]
        return nodes.AugAssign(*self.place(node), self.expr(node.target), op, self.expr(node.value))

    def _type_alias(self, node: Any) -> nodes.Assign:
        value = self.expr(node.value)
        return nodes.Assign(self.place(node)[0], value.end, [self.expr(node.name)], value)

    def _return(self, node: ast.Return) -> nodes.Return:
        return nodes.Return(*self.place(node), self.maybe(node.value))

    def _raise(self, node: ast.Raise) -> nodes.Raise:
        return nodes.Raise(*self.place(node), self.maybe(node.exc), self.maybe(node.cause))

    def _assert(self, node: ast.Assert) -> nodes.Assert:
        return nodes.Assert(*self.place(node), self.expr(node.test), self.maybe(node.msg))

    def _delete(self, node: ast.Delete) -> nodes.Delete:
        return nodes.Delete(*self.place(node), self.exprs(node.targets))

    def _scope(self, node: ast.Global | ast.Nonlocal) -> nodes.Scope:
        return nodes.Scope(*self.place(node), type(node).__name__.lower(), node.names)

    def _jump(self, node: ast.Pass | ast.Break | ast.Continue) -> nodes.Jump:
        return nodes.Jump(*self.place(node), type(node).__name__.lower())

    def _import(self, node: ast.Import) -> nodes.Import:
        return nodes.Import(*self.place(node), self._aliases(node.names))

    def _import_from(self, node: ast.ImportFrom) -> nodes.ImportFrom:
        start, end = self.place(node)
        module, level = node.module or "", node.level
        if node.names[0].name == "*":
            return nodes.ImportFrom(start, end, module, level, [], True)
        return nodes.ImportFrom(start, end, module, level, self._aliases(node.names))

    def _aliases(self, names: Sequence[ast.alias]) -> list[nodes.Alias]:
        return [nodes.Alias(*self.place(alias), alias.name, alias.asname) for alias in names]

    # ------------------------------------------------------------ compound statements

    def _if(self, node: ast.If) -> nodes.If:
        return nodes.If(*self.whole(node), self.expr(node.test), self.body(node.body), self.body(node.orelse))

    def _while(self, node: ast.While) -> nodes.While:
        return nodes.While(*self.whole(node), self.expr(node.test), self.body(node.body), self.body(node.orelse))

    def _for(self, node: ast.For | ast.AsyncFor) -> nodes.For:
        start, end = self.whole(node)
        target, iterable = self.expr(node.target), self.expr(node.iter)
        is_async = type(node) is ast.AsyncFor
        return nodes.For(start, end, target, iterable, self.body(node.body), self.body(node.orelse), is_async)

    def _try(self, node: Any) -> nodes.Try:
        start, end = self.whole(node)
        is_star = type(node) is not ast.Try
        handlers = [
            nodes.Handler(*self.whole(one), self.maybe(one.type), one.name, self.body(one.body), is_star)
            for one in node.handlers
        ]
        return nodes.Try(start, end, self.body(node.body), handlers, self.body(node.orelse), self.body(node.finalbody))

    def _with(self, node: ast.With | ast.AsyncWith) -> nodes.With:
        start, end = self.whole(node)
        items: list[nodes.WithItem] = []
        before = after_header(self.data, start)
        for item in node.items:
            items.append(self._with_item(item, before, is_first=not items, is_last=item is node.items[-1]))
            before = items[-1].end
        return nodes.With(start, end, items, self.body(node.body), type(node) is ast.AsyncWith)

    def _with_item(self, node: ast.withitem, before: int, *, is_first: bool, is_last: bool) -> nodes.WithItem:
        """Lower an item. Parentheses around it may be its own or those of all items."""
        data = self.data
        value, target = self.expr(node.context_expr), self.maybe(node.optional_vars)
        brackets, closing = opened(data, before, value.start), closed(data, value.end)
        after = after_blank(data, closing[-1] if closing else value.end)
        own = len(closing)
        if target is None and not is_first:
            own = len(brackets)
        elif target is None and is_last and data[after] == ord(":") and closing:
            own = max(own - 1, isinstance(node.context_expr, _ALWAYS_IN_BRACKETS))
        start = brackets[-own] if own else value.start
        end = closing[own - 1] if own else value.end
        if target is not None:
            around_target = opened(data, end, target.start)
            end = closed(data, target.end)[len(around_target) - 1] if around_target else target.end
        return nodes.WithItem(start, end, value, target)

    def _match(self, node: ast.Match) -> nodes.Match:
        return nodes.Match(*self.whole(node), self.expr(node.subject), [self._case(case) for case in node.cases])

    def _case(self, node: ast.match_case) -> nodes.Case:
        before, _ = self.place(node.pattern)
        start = line_with(self.data, self.rows, node.pattern.lineno, before, b"case")
        lowered = pattern(node.pattern, self)
        guard = self.maybe(node.guard)
        body = self.body(node.body)
        return nodes.Case(start, body[-1].end, lowered, guard, body)

    # ------------------------------------------------------------ definitions

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> nodes.FunctionDef:
        start, end = self.whole(node)
        name_start = after_header(self.data, start)
        decorators = self.exprs(node.decorator_list)
        params = self.parameters(node.args)
        returns = self.maybe(node.returns)
        code: nodes.Body | nodes.Later | None = self._later.get(node)
        if code is None:
            outer, self.saw_yield = self.saw_yield, False
            code = self.function_body(node.body)
            self.saw_yield = outer
        return nodes.FunctionDef(
            self._start(node, start),
            end,
            node.name,
            name_start,
            params,
            code,
            decorators,
            returns,
            type(node) is ast.AsyncFunctionDef,
        )

    def function_body(self, statements: Sequence[ast.stmt]) -> nodes.Body:
        """Lower the statements of one function."""
        lowered = self.body(statements)
        return nodes.Body(lowered[0].start, lowered[-1].end, lowered, self.saw_yield)

    def _class(self, node: ast.ClassDef) -> nodes.ClassDef:
        start, end = self.whole(node)
        name_start = after_header(self.data, start)
        params = getattr(node, "type_params", None)
        before = self.place(params[-1])[1] if params else name_start
        decorators = self.exprs(node.decorator_list)
        args = self.arguments(before, node.bases, node.keywords)
        start = self._start(node, start)
        return nodes.ClassDef(start, end, node.name, name_start, args, self.body(node.body), decorators)

    def _start(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, start: int) -> int:
        """Where a definition starts with its decorators."""
        if not node.decorator_list:
            return start
        first = node.decorator_list[0]
        return line_with(self.data, self.rows, first.lineno, self.place(first)[0], b"@")


_BY_NAME: dict[str, Callable[[Any, Any], nodes.Stmt]] = {
    "Expr": StatementLowering._expression,
    "Assign": StatementLowering._assign,
    "AnnAssign": StatementLowering._annotated,
    "AugAssign": StatementLowering._augmented,
    "TypeAlias": StatementLowering._type_alias,
    "Return": StatementLowering._return,
    "Raise": StatementLowering._raise,
    "Assert": StatementLowering._assert,
    "Delete": StatementLowering._delete,
    "Global": StatementLowering._scope,
    "Nonlocal": StatementLowering._scope,
    "Pass": StatementLowering._jump,
    "Break": StatementLowering._jump,
    "Continue": StatementLowering._jump,
    "Import": StatementLowering._import,
    "ImportFrom": StatementLowering._import_from,
    "If": StatementLowering._if,
    "While": StatementLowering._while,
    "For": StatementLowering._for,
    "AsyncFor": StatementLowering._for,
    "Try": StatementLowering._try,
    "TryStar": StatementLowering._try,
    "With": StatementLowering._with,
    "AsyncWith": StatementLowering._with,
    "Match": StatementLowering._match,
    "FunctionDef": StatementLowering._function,
    "AsyncFunctionDef": StatementLowering._function,
    "ClassDef": StatementLowering._class,
}
# Not every Python has all of them.
_STATEMENTS = {getattr(ast, name): method for name, method in _BY_NAME.items() if hasattr(ast, name)}

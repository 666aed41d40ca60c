"""Lowering of libcst statements and patterns to the IR; see `aoti_lint.ir.from_libcst.expressions` for the manner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from aoti_lint.ir import nodes
from aoti_lint.ir.from_libcst.expressions import ExpressionLowering
from aoti_lint.ir.from_libcst.operators import AUGMENTED
from aoti_lint.ir.from_libcst.patterns import PatternLowering
from aoti_lint.ir.from_libcst.spans import Spans
from aoti_lint.ir.names import identifier


class StatementLowering(ExpressionLowering):
    """Lowers the statements of one source."""

    def __init__(self, spans: Spans, path: str) -> None:
        super().__init__(spans, path)
        self._patterns = PatternLowering(self)
        self._statements: dict[type, Callable[[Any], nodes.Stmt]] = {
            cst.Expr: self._expression,
            cst.Assign: self._assign,
            cst.AnnAssign: self._annotated,
            cst.AugAssign: self._augmented,
            cst.TypeAlias: self._type_alias,
            cst.Return: self._return,
            cst.Raise: self._raise,
            cst.Assert: self._assert,
            cst.Del: self._delete,
            cst.Global: self._scope,
            cst.Nonlocal: self._scope,
            cst.Pass: self._jump,
            cst.Break: self._jump,
            cst.Continue: self._jump,
            cst.Import: self._import,
            cst.ImportFrom: self._import_from,
            cst.LazyImport: self._import,
            cst.LazyImportFrom: self._import_from,
            cst.If: self._if,
            cst.While: self._while,
            cst.For: self._for,
            cst.Try: self._try,
            cst.TryStar: self._try,
            cst.With: self._with,
            cst.Match: self._match,
            cst.FunctionDef: self._function,
            cst.ClassDef: self._class,
        }

    def body(self, suite: cst.Module | cst.BaseSuite) -> list[nodes.Stmt]:
        """Lower the statements of a block."""
        statements = self._statements
        lowered: list[nodes.Stmt] = []
        for node in suite.body:
            if isinstance(node, cst.SimpleStatementLine):
                lowered.extend([statements[type(small)](small) for small in node.body])
            else:
                lowered.append(statements[type(node)](node))
        return lowered

    # ------------------------------------------------------------ simple statements

    def _expression(self, node: cst.Expr) -> nodes.ExprStmt:
        return nodes.ExprStmt(*self.spans.of(node), self.expr(node.value))

    def _assign(self, node: cst.Assign) -> nodes.Assign:
        start, end = self.spans.of(node)
        return nodes.Assign(start, end, [self.expr(target.target) for target in node.targets], self.expr(node.value))

    def _annotated(self, node: cst.AnnAssign) -> nodes.AnnAssign:
        start, end = self.spans.of(node)
        annotation = self.expr(node.annotation.annotation)
        return nodes.AnnAssign(start, end, self.expr(node.target), annotation, self.maybe(node.value))

    def _augmented(self, node: cst.AugAssign) -> nodes.AugAssign:
        start, end = self.spans.of(node)
        return nodes.AugAssign(
            start, end, self.expr(node.target), AUGMENTED[type(node.operator)], self.expr(node.value)
        )

    def _type_alias(self, node: cst.TypeAlias) -> nodes.Assign:
        start = self.spans.start_before(node.name, "type")
        value = self.expr(node.value)
        return nodes.Assign(start, value.end, [self.expr(node.name)], value)

    def _return(self, node: cst.Return) -> nodes.Return:
        return nodes.Return(*self.spans.of(node), self.maybe(node.value))

    def _raise(self, node: cst.Raise) -> nodes.Raise:
        start, end = self.spans.of(node)
        cause = None if node.cause is None else self.expr(node.cause.item)
        return nodes.Raise(start, end, self.maybe(node.exc), cause)

    def _assert(self, node: cst.Assert) -> nodes.Assert:
        return nodes.Assert(*self.spans.of(node), self.expr(node.test), self.maybe(node.msg))

    def _delete(self, node: cst.Del) -> nodes.Delete:
        start, end = self.spans.of(node)
        target = node.target
        if isinstance(target, cst.Tuple) and not target.lpar:
            return nodes.Delete(start, end, [self.expr(element.value) for element in target.elements])
        return nodes.Delete(start, end, [self.expr(target)])

    def _scope(self, node: cst.Global | cst.Nonlocal) -> nodes.Scope:
        kind = "global" if isinstance(node, cst.Global) else "nonlocal"
        return nodes.Scope(*self.spans.of(node), kind, [identifier(item.name.value) for item in node.names])

    def _jump(self, node: cst.Pass | cst.Break | cst.Continue) -> nodes.Jump:
        return nodes.Jump(*self.spans.of(node), type(node).__name__.lower())

    def _import(self, node: cst.Import | cst.LazyImport) -> nodes.Import:
        return nodes.Import(*self.spans.of(node), self._aliases(node.names))

    def _import_from(self, node: cst.ImportFrom | cst.LazyImportFrom) -> nodes.ImportFrom:
        start, end = self.spans.of(node)
        module = "" if node.module is None else _dotted(node.module)
        level = len(node.relative)
        if isinstance(node.names, cst.ImportStar):
            return nodes.ImportFrom(start, end, module, level, [], True)
        return nodes.ImportFrom(start, end, module, level, self._aliases(node.names))

    def _aliases(self, names: Sequence[cst.ImportAlias]) -> list[nodes.Alias]:
        lowered = []
        for alias in names:
            # libcst counts the comma of an alias to it.
            start, end = self.spans.of(alias.name)
            name = None
            if alias.asname is not None:
                end = self.spans.of(alias.asname.name)[1]
                name = _dotted(alias.asname.name)
            lowered.append(nodes.Alias(start, end, _dotted(alias.name), name))
        return lowered

    # ------------------------------------------------------------ compound statements

    def _if(self, node: cst.If) -> nodes.If:
        start, end = self.spans.of(node)
        return nodes.If(start, end, self.expr(node.test), self.body(node.body), self._orelse(node.orelse))

    def _orelse(self, node: cst.Else | cst.If | None) -> list[nodes.Stmt]:
        if node is None:
            return []
        return [self._if(node)] if isinstance(node, cst.If) else self.body(node.body)

    def _while(self, node: cst.While) -> nodes.While:
        start, end = self.spans.of(node)
        return nodes.While(start, end, self.expr(node.test), self.body(node.body), self._orelse(node.orelse))

    def _for(self, node: cst.For) -> nodes.For:
        start, end = self.spans.of(node)
        target, iterable = self.expr(node.target), self.expr(node.iter)
        is_async = node.asynchronous is not None
        return nodes.For(start, end, target, iterable, self.body(node.body), self._orelse(node.orelse), is_async)

    def _try(self, node: cst.Try | cst.TryStar) -> nodes.Try:
        start, end = self.spans.of(node)
        body = self.body(node.body)
        handlers = [self._handler(handler) for handler in node.handlers]
        orelse = self._orelse(node.orelse)
        return nodes.Try(
            start, end, body, handlers, orelse, [] if node.finalbody is None else self.body(node.finalbody.body)
        )

    def _handler(self, node: cst.ExceptHandler | cst.ExceptStarHandler) -> nodes.Handler:
        start, end = self.spans.of(node)
        name = None if node.name is None else _dotted(node.name.name)
        is_star = isinstance(node, cst.ExceptStarHandler)
        return nodes.Handler(start, end, self.maybe(node.type), name, self.body(node.body), is_star)

    def _with(self, node: cst.With) -> nodes.With:
        start, end = self.spans.of(node)
        items = []
        for item in node.items:
            target = None if item.asname is None else self.expr(item.asname.name)
            items.append(nodes.WithItem(*self.spans.of(item), self.expr(item.item), target))
        return nodes.With(start, end, items, self.body(node.body), node.asynchronous is not None)

    def _match(self, node: cst.Match) -> nodes.Match:
        start, end = self.spans.of(node)
        cases = []
        for case in node.cases:
            pattern = self._patterns.pattern(case.pattern)
            guard = self.maybe(case.guard)
            cases.append(nodes.Case(*self.spans.of(case), pattern, guard, self.body(case.body)))
        return nodes.Match(start, end, self.expr(node.subject), cases)

    # ------------------------------------------------------------ definitions

    def _decorated(self, node: cst.FunctionDef | cst.ClassDef) -> tuple[int, int, list[nodes.Expr]]:
        """Where a definition begins with its decorators, where it ends, and these."""
        start, end = self.spans.of((*node.decorators, node)[0])[0], self.spans.of(node)[1]
        return start, end, [self.expr(decorator.decorator) for decorator in node.decorators]

    def _function(self, node: cst.FunctionDef) -> nodes.FunctionDef:
        start, end, decorators = self._decorated(node)
        params = self.parameters(node.params)
        returns = None if node.returns is None else self.expr(node.returns.annotation)
        outer, self.saw_yield = self.saw_yield, False
        statements = self.body(node.body)
        body = nodes.Body(statements[0].start, statements[-1].end, statements, self.saw_yield)
        self.saw_yield = outer
        return nodes.FunctionDef(
            start,
            end,
            identifier(node.name.value),
            self.spans.of(node.name)[0],
            params,
            body,
            decorators,
            returns,
            node.asynchronous is not None,
        )

    def _class(self, node: cst.ClassDef) -> nodes.ClassDef:
        start, end, decorators = self._decorated(node)
        args = self.arguments([*node.bases, *node.keywords])
        args.sort(key=lambda arg: arg.start)
        return nodes.ClassDef(
            start,
            end,
            identifier(node.name.value),
            self.spans.of(node.name)[0],
            args,
            self.body(node.body),
            decorators,
        )


def _dotted(node: cst.BaseExpression) -> str:
    names = []
    while isinstance(node, cst.Attribute):
        names.append(identifier(node.attr.value))
        node = node.value
    assert isinstance(node, cst.Name)
    names.append(identifier(node.value))
    return ".".join(reversed(names))

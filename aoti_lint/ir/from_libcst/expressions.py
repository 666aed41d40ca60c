"""Lowering of libcst expressions to the IR.

The methods are reached through one table from node type to method; each takes a libcst node and gives an IR node.
libcst nodes are read, never visited: `visit` would rebuild the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import libcst as cst

from aoti_lint.ir import literals, nodes
from aoti_lint.ir.from_libcst.operators import BINARY, BOOLEAN, COMPARE, UNARY
from aoti_lint.ir.from_libcst.spans import Spans
from aoti_lint.ir.literals import with_sign
from aoti_lint.ir.names import identifier
from aoti_lint.text.problem import SourceProblem

_CONSTANTS = {"None": None, "True": True, "False": False}


class ExpressionLowering:
    """Lowers the expressions of one source."""

    def __init__(self, spans: Spans, path: str) -> None:
        self.spans = spans
        self.path = path
        self.saw_yield = False
        self._expressions: dict[type, Callable[[Any], nodes.Expr]] = {
            cst.Name: self._name,
            cst.Attribute: self._attribute,
            cst.Call: self._call,
            cst.SimpleString: self._string,
            cst.Integer: self._number,
            cst.Float: self._number,
            cst.Imaginary: self._number,
            cst.Ellipsis: self._ellipsis,
            cst.ConcatenatedString: self._concatenated,
            cst.FormattedString: self._format,
            cst.TemplatedString: self._format,
            cst.Subscript: self._subscript,
            cst.BinaryOperation: self._binary,
            cst.UnaryOperation: self._unary,
            cst.BooleanOperation: self._boolean,
            cst.Comparison: self._comparison,
            cst.IfExp: self._conditional,
            cst.Tuple: self._tuple,
            cst.List: self._list,
            cst.Set: self._list,
            cst.StarredElement: self._starred,
            cst.Dict: self._dict,
            cst.Lambda: self._lambda,
            cst.ListComp: self._comprehension,
            cst.SetComp: self._comprehension,
            cst.GeneratorExp: self._comprehension,
            cst.DictComp: self._dict_comprehension,
            cst.StarredDictComp: self._dict_comprehension,
            cst.NamedExpr: self._walrus,
            cst.Await: self._await,
            cst.Yield: self._yield,
        }

    def expr(self, node: cst.BaseExpression) -> nodes.Expr:
        """Lower any expression."""
        return self._expressions[type(node)](node)

    def maybe(self, node: cst.BaseExpression | None) -> nodes.Expr | None:
        """Lower an expression that may be absent."""
        return None if node is None else self._expressions[type(node)](node)

    def problem(self, message: str, offset: int) -> SourceProblem:
        return SourceProblem(self.path, message, offset)

    # ------------------------------------------------------------ names and literals

    def _name(self, node: cst.Name) -> nodes.Const | nodes.Name:
        start, end = self.spans.of(node)
        value = node.value
        if value in _CONSTANTS:
            return nodes.Const(start, end, _CONSTANTS[value])
        return nodes.Name(start, end, identifier(value))

    def _attribute(self, node: cst.Attribute) -> nodes.Attr:
        start, end = self.spans.of(node)
        return nodes.Attr(start, end, self.expr(node.value), identifier(node.attr.value))

    def _ellipsis(self, node: cst.Ellipsis) -> nodes.Const:
        return nodes.Const(*self.spans.of(node), ...)

    def _number(self, node: cst.Integer | cst.Float | cst.Imaginary) -> nodes.Const:
        start, end = self.spans.of(node)
        try:
            return nodes.Const(start, end, literals.number_value(node.value))
        except SyntaxError as error:
            raise self.problem(f"invalid syntax: {error.msg}", start) from None

    def _string(self, node: cst.SimpleString) -> nodes.Const:
        start, end = self.spans.of(node)
        try:
            return nodes.Const(start, end, literals.string_value(node.value))
        except SyntaxError as error:
            raise self.problem(f"invalid syntax: {error.msg}", start) from None

    def _concatenated(self, node: cst.ConcatenatedString) -> nodes.Const | nodes.Format:
        start, end = self.spans.of(node)
        parts: list[nodes.Expr] = []
        rest: cst.BaseExpression = node
        while isinstance(rest, cst.ConcatenatedString):
            parts.append(self.expr(rest.left))
            rest = rest.right
        parts.append(self.expr(rest))
        values = [part.value for part in parts if isinstance(part, nodes.Const)]
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) == len(parts):
            return nodes.Const(start, end, "".join(texts))
        chunks = [value for value in values if isinstance(value, bytes)]
        if len(chunks) == len(parts):
            return nodes.Const(start, end, b"".join(chunks))
        flat: list[nodes.Expr] = []
        for part in parts:
            flat.extend(part.parts if isinstance(part, nodes.Format) else [part])
        return nodes.Format(start, end, flat)

    # ------------------------------------------------------------ f-strings

    def _format(self, node: cst.FormattedString | cst.TemplatedString) -> nodes.Format:
        start, end = self.spans.of(node)
        parts, _ = self._format_parts(node.parts, self.spans.first_token(node) + 1, node.start)
        return nodes.Format(start, end, parts)

    def _format_parts(self, parts: Sequence[Any], token: int, quotes: str) -> tuple[list[nodes.Expr], int]:
        """Lower the parts of an f-string, or of a format specification, that begin at `token`.

        libcst notes no place for these parts, so they are found by counting tokens. Gives the parts and the token
        after them.
        """
        spans = self.spans
        lowered: list[nodes.Expr] = []
        for part in parts:
            start = spans.start_of(token)
            if isinstance(part, (cst.FormattedStringText, cst.TemplatedStringText)):
                token += 1
                try:
                    text = literals.format_text_value(part.value, quotes)
                except SyntaxError as error:
                    raise self.problem(f"invalid syntax: {error.msg}", start) from None
                lowered.append(nodes.Const(start, spans.end_of(token), text))
                continue
            after = spans.next_of(part.expression, ("!", ":", "}"))
            conversion: str | None = part.conversion
            if part.equal is not None:
                shown = spans.written(token + 1, after)
                lowered.append(nodes.Const(spans.start_of(token + 1), spans.end_of(after), shown))
                if conversion is None and part.format_spec is None:
                    conversion = "r"
            if part.conversion is not None:
                after += 2
            spec: list[nodes.Expr] = []
            if part.format_spec is not None:
                spec, after = self._format_parts(part.format_spec, after + 1, quotes)
            token = after + 1
            lowered.append(nodes.FormatField(start, spans.end_of(token), self.expr(part.expression), conversion, spec))
        return lowered, token

    # ------------------------------------------------------------ operations

    def _binary(self, node: cst.BinaryOperation) -> nodes.Bin:
        start, end = self.spans.of(node)
        return nodes.Bin(start, end, BINARY[type(node.operator)], self.expr(node.left), self.expr(node.right))

    def _unary(self, node: cst.UnaryOperation) -> nodes.Const | nodes.Unary:
        return with_sign(*self.spans.of(node), UNARY[type(node.operator)], self.expr(node.expression))

    def _boolean(self, node: cst.BooleanOperation) -> nodes.Bool:
        start, end = self.spans.of(node)
        values = [self.expr(node.right)]
        left = node.left
        while isinstance(left, cst.BooleanOperation) and type(left.operator) is type(node.operator) and not left.lpar:
            values.append(self.expr(left.right))
            left = left.left
        values.append(self.expr(left))
        values.reverse()
        return nodes.Bool(start, end, BOOLEAN[type(node.operator)], values)

    def _comparison(self, node: cst.Comparison) -> nodes.Compare:
        start, end = self.spans.of(node)
        ops = [COMPARE[type(target.operator)] for target in node.comparisons]
        rights = [self.expr(target.comparator) for target in node.comparisons]
        return nodes.Compare(start, end, self.expr(node.left), ops, rights)

    def _conditional(self, node: cst.IfExp) -> nodes.IfExp:
        start, end = self.spans.of(node)
        return nodes.IfExp(start, end, self.expr(node.test), self.expr(node.body), self.expr(node.orelse))

    def _walrus(self, node: cst.NamedExpr) -> nodes.Walrus:
        return nodes.Walrus(*self.spans.of(node), self.expr(node.target), self.expr(node.value))

    def _await(self, node: cst.Await) -> nodes.Await:
        return nodes.Await(*self.spans.of(node), self.expr(node.expression))

    def _yield(self, node: cst.Yield) -> nodes.Yield:
        self.saw_yield = True
        start, end = self.spans.of(node)
        if isinstance(node.value, cst.From):
            return nodes.Yield(start, end, self.expr(node.value.item), True)
        return nodes.Yield(start, end, self.maybe(node.value))

    # ------------------------------------------------------------ calls, subscripts, displays

    def _call(self, node: cst.Call) -> nodes.Call:
        start, end = self.spans.of(node)
        return nodes.Call(start, end, self.expr(node.func), self.arguments(node.args))

    def arguments(self, args: Sequence[cst.Arg]) -> list[nodes.Arg]:
        """Lower the arguments of a call or class header."""
        lowered = []
        for arg in args:
            start, end = self.spans.of(arg)
            name = None if arg.keyword is None else identifier(arg.keyword.value)
            lowered.append(nodes.Arg(start, end, self.expr(arg.value), name, len(arg.star)))
        return lowered

    def _subscript(self, node: cst.Subscript) -> nodes.Sub:
        start, end = self.spans.of(node)
        elements = node.slice
        indices = [self._index(element) for element in elements]
        index = indices[0]
        if len(indices) > 1 or isinstance(elements[0].comma, cst.Comma) or isinstance(index, nodes.Star):
            index = nodes.Seq(index.start, indices[-1].end, "tuple", indices)
        return nodes.Sub(start, end, self.expr(node.value), index)

    def _index(self, element: cst.SubscriptElement) -> nodes.Expr:
        item = element.slice
        if isinstance(item, cst.Slice):
            start, end = self.spans.trimmed(element)
            return nodes.Slice(start, end, self.maybe(item.lower), self.maybe(item.upper), self.maybe(item.step))
        assert isinstance(item, cst.Index)
        value = self.expr(item.value)
        if item.star:
            start, end = self.spans.of(element)
            return nodes.Star(start, end, value)
        return value

    def _tuple(self, node: cst.Tuple) -> nodes.Seq:
        start, end = self.spans.within(node, "(", ")") if node.lpar else self.spans.of(node)
        return nodes.Seq(start, end, "tuple", [self._element(element) for element in node.elements])

    def _list(self, node: cst.List | cst.Set) -> nodes.Seq:
        start, end = self.spans.of(node)
        kind = "list" if isinstance(node, cst.List) else "set"
        return nodes.Seq(start, end, kind, [self._element(element) for element in node.elements])

    def _element(self, element: cst.BaseElement) -> nodes.Expr:
        return self.expr(element if isinstance(element, cst.StarredElement) else element.value)

    def _starred(self, node: cst.StarredElement) -> nodes.Star:
        start, end = self.spans.of(node)
        value = self.expr(node.value)
        return nodes.Star(start, end, value)

    def _dict(self, node: cst.Dict) -> nodes.DictDisplay:
        start, end = self.spans.of(node)
        keys = [self.expr(item.key) if isinstance(item, cst.DictElement) else None for item in node.elements]
        return nodes.DictDisplay(start, end, keys, [self.expr(item.value) for item in node.elements])

    # ------------------------------------------------------------ functions and comprehensions

    def _lambda(self, node: cst.Lambda) -> nodes.Lambda:
        start, end = self.spans.of(node)
        params = self.parameters(node.params)
        outer = self.saw_yield
        body = self.expr(node.body)
        self.saw_yield = outer
        return nodes.Lambda(start, end, params, body)

    def parameters(self, params: cst.Parameters) -> list[nodes.Param]:
        """Lower the parameters of a function or lambda, in the order they are written."""
        lowered = [self._parameter(param, "pos") for param in params.posonly_params]
        lowered.extend(self._parameter(param, "any") for param in params.params)
        if isinstance(params.star_arg, cst.Param):
            lowered.append(self._parameter(params.star_arg, "var"))
        lowered.extend(self._parameter(param, "kw") for param in params.kwonly_params)
        if params.star_kwarg is not None:
            lowered.append(self._parameter(params.star_kwarg, "kwvar"))
        return lowered

    def _parameter(self, param: cst.Param, kind: str) -> nodes.Param:
        start, end = self.spans.of(param)
        annotation = None if param.annotation is None else self.expr(param.annotation.annotation)
        default = self.maybe(param.default)
        # libcst's place of a parameter is that of its name.
        last = default or annotation
        if last is not None:
            end = last.end
        return nodes.Param(start, end, identifier(param.name.value), kind, annotation, default)

    def _comprehension(self, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> nodes.Comp:
        start, end = self.spans.of(node)
        kind = {cst.ListComp: "list", cst.SetComp: "set"}.get(type(node), "generator")
        if kind == "generator":
            start, end = self.spans.within(node, "(", ")")
        return nodes.Comp(start, end, kind, self.expr(node.elt), self._generators(node.for_in))

    def _dict_comprehension(self, node: cst.DictComp | cst.StarredDictComp) -> nodes.Comp:
        start, end = self.spans.of(node)
        if isinstance(node, cst.StarredDictComp):
            element: nodes.Expr = nodes.Star(
                self.spans.start_before(node.value, "**"), self.spans.of(node.value)[1], self.expr(node.value)
            )
            return nodes.Comp(start, end, "dict", element, self._generators(node.for_in))
        generators = self._generators(node.for_in)
        return nodes.Comp(start, end, "dict", self.expr(node.value), generators, self.expr(node.key))

    def _generators(self, node: cst.CompFor) -> list[nodes.Generator]:
        lowered = []
        clause: cst.CompFor | None = node
        while clause is not None:
            target, iterable = self.expr(clause.target), self.expr(clause.iter)
            tests = [self.expr(condition.test) for condition in clause.ifs]
            end = tests[-1].end if tests else iterable.end
            start = self.spans.start_before(clause.target, "for")
            is_async = clause.asynchronous is not None
            lowered.append(nodes.Generator(start, end, target, iterable, tests, is_async))
            clause = clause.inner_for_in
        return lowered

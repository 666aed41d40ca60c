"""Lowering of the patterns of `match`."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from aoti_lint.ir import nodes
from aoti_lint.ir.from_ast.expressions import ExpressionLowering


def pattern(node: ast.pattern, expressions: ExpressionLowering) -> nodes.Pattern:
    """Lower any pattern."""
    start, end = expressions.place(node)

    def inner(these: Sequence[ast.pattern]) -> list[nodes.Pattern]:
        return [pattern(one, expressions) for one in these]

    match node:
        case ast.MatchValue(value=value):
            lowered = expressions.expr(value)
            return nodes.Pattern(lowered.start, lowered.end, "value", lowered)
        case ast.MatchSingleton(value=constant):
            return nodes.Pattern(start, end, "value", nodes.Const(start, end, constant))
        case ast.MatchAs(pattern=held, name=name):
            return nodes.Pattern(start, end, "capture", name=name, patterns=inner([held] if held else []))
        case ast.MatchOr(patterns=patterns):
            return nodes.Pattern(start, end, "or", patterns=inner(patterns))
        case ast.MatchSequence(patterns=patterns):
            return nodes.Pattern(start, end, "sequence", patterns=inner(patterns))
        case ast.MatchStar(name=name):
            return nodes.Pattern(start, end, "star", name=name)
        case ast.MatchMapping(keys=keys, patterns=patterns, rest=name):
            held_by = inner(patterns)
            return nodes.Pattern(start, end, "mapping", name=name, patterns=held_by, keys=expressions.exprs(keys))
        case ast.MatchClass(cls=cls, patterns=patterns, kwd_attrs=keywords, kwd_patterns=others):
            held_by = inner([*patterns, *others])
            return nodes.Pattern(start, end, "class", expressions.expr(cls), patterns=held_by, keywords=list(keywords))
    raise KeyError(type(node))

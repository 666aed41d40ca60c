"""Lowering of the patterns of `match`."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from aoti_lint.ir import nodes
from aoti_lint.ir.from_libcst.expressions import ExpressionLowering
from aoti_lint.ir.names import identifier


class PatternLowering:
    """Lowers the `case` patterns of one source."""

    def __init__(self, expressions: ExpressionLowering) -> None:
        self._expr = expressions.expr
        self._spans = expressions.spans

    def pattern(self, node: cst.MatchPattern) -> nodes.Pattern:
        """Lower any pattern."""
        if isinstance(node, (cst.MatchValue, cst.MatchSingleton)):
            value = self._expr(node.value)
            return nodes.Pattern(value.start, value.end, "value", value)
        start, end = self._spans.of(node)
        if isinstance(node, cst.MatchAs):
            name = None if node.name is None else identifier(node.name.value)
            inner = [] if node.pattern is None else [self.pattern(node.pattern)]
            return nodes.Pattern(start, end, "capture", name=name, patterns=inner)
        if isinstance(node, cst.MatchOr):
            return nodes.Pattern(start, end, "or", patterns=[self.pattern(item.pattern) for item in node.patterns])
        if isinstance(node, cst.MatchSequence):
            if isinstance(node, cst.MatchTuple) and node.lpar:
                start, end = self._spans.within(node, "(", ")")
            return nodes.Pattern(start, end, "sequence", patterns=self._sequence(node.patterns))
        if isinstance(node, cst.MatchMapping):
            keys = [self._expr(item.key) for item in node.elements]
            patterns = [self.pattern(item.pattern) for item in node.elements]
            name = None if node.rest is None else identifier(node.rest.value)
            return nodes.Pattern(start, end, "mapping", name=name, patterns=patterns, keys=keys)
        assert isinstance(node, cst.MatchClass)
        patterns = self._sequence(node.patterns) + [self.pattern(item.pattern) for item in node.kwds]
        keywords = [identifier(item.key.value) for item in node.kwds]
        return nodes.Pattern(start, end, "class", self._expr(node.cls), patterns=patterns, keywords=keywords)

    def _sequence(self, items: Sequence[cst.MatchSequenceElement | cst.MatchStar]) -> list[nodes.Pattern]:
        lowered = []
        for item in items:
            if isinstance(item, cst.MatchStar):
                # libcst counts the comma after it to the pattern.
                start, _ = self._spans.of(item)
                end = self._spans.end_of_first(item, "_") if item.name is None else self._spans.of(item.name)[1]
                name = None if item.name is None else identifier(item.name.value)
                lowered.append(nodes.Pattern(start, end, "star", name=name))
            else:
                lowered.append(self.pattern(item.value))
        return lowered

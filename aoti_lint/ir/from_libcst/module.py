"""The IR of a whole source, from its libcst tree."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.ir.from_libcst.parse import parse
from aoti_lint.ir.from_libcst.statements import StatementLowering


def lower_module(text: str, path: str) -> nodes.Module:
    """Lower a source. Raises `SourceProblem`, or `RecursionError` if it is nested too deeply."""
    tree, spans = parse(text, path)
    return nodes.Module(0, len(text.encode()), path, StatementLowering(spans, path).body(tree))

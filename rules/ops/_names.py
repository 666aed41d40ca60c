"""Whether anything binds a name where a function reads it, by Python's scopes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp,
              ast.GeneratorExp)  # fmt: skip
_ANYTHING = frozenset({"exec", "globals", "vars", "eval"})
"""Functions that may bind a name of which the text says nothing."""


def may_be_bound(text: str, row: int, name: str) -> bool:
    """Whether the name that a function reads in this row is bound, or may be: where the text is not understood, too.

    What other functions bind for themselves does not count.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return True
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value == name:
            return True
        if isinstance(node, ast.Name) and node.id in _ANYTHING:
            return True
        if isinstance(node, ast.alias) and node.name == "*":
            return True
    return name in _visible(tree, row) or (name.startswith("__") and name.endswith("__"))


def _visible(scope: ast.AST, row: int) -> Iterator[str]:
    """The names that a module or class binds, and all of those functions that hold the row."""
    for node in ast.iter_child_nodes(scope):
        yield from _bound(node)
        if isinstance(node, _FUNCTIONS):
            here = node.lineno <= row <= (node.end_lineno or node.lineno)
            for inner in ast.walk(node):
                if here or isinstance(inner, ast.Global):
                    yield from _bound(inner)
        elif isinstance(node, ast.ClassDef):
            for member in node.body:
                # Methods do not see what their class binds.
                if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    yield from _visible(ast.Module([member], []), row)
        else:
            yield from _visible(node, row)


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that one node binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Global(names=names):
            yield from names

"""Names as Python knows them."""

from __future__ import annotations

import unicodedata
from sys import intern
from typing import TypeGuard

from aoti_lint.ir import nodes


def identifier(name: str) -> str:
    """The name that is meant by its spelling in the source; the same text wherever it stands."""
    return intern(name if name.isascii() else unicodedata.normalize("NFKC", name))


def is_main_guard(statement: nodes.Stmt) -> TypeGuard[nodes.If]:
    """Whether it is an `if` that compares `__name__`."""
    if not (isinstance(statement, nodes.If) and isinstance(statement.test, nodes.Compare)):
        return False
    sides = (statement.test.left, *statement.test.rights)
    return any(isinstance(side, nodes.Name) and side.id == "__name__" for side in sides)


def asks_for_main(tree: nodes.Module) -> bool:
    """Whether the top level tests `__name__`."""
    return any(is_main_guard(statement) for statement in tree.body)


def written(node: nodes.Node) -> str:
    """How a name, an attribute of one or an item of one is written; empty for anything else."""
    match node:
        case nodes.Name(id=name):
            return name
        case nodes.Attr(base=base, name=name) if before := written(base):
            return f"{before}.{name}"
        case nodes.Sub(base=base, index=nodes.Const(value=int() | str() as key)) if before := written(base):
            return f"{before}[{key!r}]"
    return ""

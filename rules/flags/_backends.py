"""Functions of a project that are given to `torch.compile` as the backend."""

from __future__ import annotations

from aoti_lint.rule import nodes
from aoti_lint.rule.values import Func, Value

from ..ops._gradients import parts

MOST = 2
"""What a backend is given by position: the graph and its example inputs."""


def cannot_be_called(backend: Value) -> bool | None:
    """Whether a function of the project does not take two arguments by position, and no others."""
    if not isinstance(backend, Func) or backend.compiled is not None or backend.role:
        return False
    params = backend.node.params
    if any(one.kind == "var" for one in params):
        return False
    by_position = [one for one in params if one.kind in ("any", "pos")]
    needed = [one for one in params if one.default is None and one.kind != "kwvar"]
    return len(by_position) < MOST or any(one not in by_position[:MOST] for one in needed)


def gives_nothing(backend: Value) -> bool | None:
    """Whether a function of the project returns None, wherever it ends."""
    if not isinstance(backend, Func) or backend.compiled is not None or backend.role:
        return False
    node = backend.node
    if not isinstance(node, nodes.FunctionDef) or node.is_async or node.is_generator or node.decorators:
        return False
    if node.body and isinstance(node.body[-1], nodes.Raise):
        return False
    given = (one.value for one in parts(node.body) if isinstance(one, nodes.Return))
    return all(value is None or (isinstance(value, nodes.Const) and value.value is None) for value in given)

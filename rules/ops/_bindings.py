"""What binds a name, of all that a place in a file sees."""

from __future__ import annotations

from collections.abc import Iterator

from aoti_lint.rule import Span, nodes

TARGETS = (nodes.AugAssign, nodes.AnnAssign, nodes.For, nodes.Generator, nodes.Walrus, nodes.WithItem)


def may_be_bound(tree: nodes.Module, span: Span, name: str) -> bool:
    """Whether something that `span` sees may bind `name`: in a function around it, in the module, or by `global`.

    `import *` and `exec` count, and so does a text that is the name, since `globals()` takes texts.
    """
    todo: list[object] = [*tree.body]
    hidden: list[object] = []
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.FunctionDef):
            if one.name == name:
                return True
            todo += one.decorators
            (todo if one.start <= span.start < one.end else hidden).extend([*one.params, *one.body])
        elif isinstance(one, nodes.Node):
            anything = one.is_star if isinstance(one, nodes.ImportFrom) else _is_exec(one)
            if anything or name in _bound_by(one):
                return True
            todo += _parts(one)
        elif isinstance(one, list | tuple):
            todo += one
    return any(name in one.names for one in _scopes(hidden))


def _is_exec(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Name) and node.id == "exec"


def _bound_by(node: nodes.Node) -> Iterator[str]:
    match node:
        case nodes.Assign(targets=targets) | nodes.Delete(targets=targets):
            for target in targets:
                yield from _targeted(target)
        case nodes.Param(name=name) | nodes.ClassDef(name=name):
            yield name
        case nodes.Handler(name=str() as name) | nodes.Pattern(name=str() as name):
            yield name
        case nodes.Scope(names=names):
            yield from names
        case nodes.Alias(dotted=dotted, name=alias):
            yield alias or dotted.partition(".")[0]
        case nodes.Const(value=str() as text):
            yield text
    if isinstance(node, TARGETS) and node.target is not None:
        yield from _targeted(node.target)


def _targeted(target: nodes.Expr) -> Iterator[str]:
    match target:
        case nodes.Name(id=name):
            yield name
        case nodes.Seq(items=items):
            for item in items:
                yield from _targeted(item)
        case nodes.Star(value=value):
            yield from _targeted(value)


def _scopes(code: list[object]) -> Iterator[nodes.Scope]:
    """The `global` and `nonlocal` statements in some code."""
    todo = [*code]
    while todo:
        one = todo.pop()
        if isinstance(one, nodes.Scope):
            yield one
        elif isinstance(one, nodes.FunctionDef):
            todo += one.body
        elif isinstance(one, nodes.Node):
            todo += _parts(one)
        elif isinstance(one, list | tuple):
            todo += one


def _parts(node: nodes.Node) -> list[object]:
    return [getattr(node, slot) for slot in node.__dataclass_fields__ if slot not in ("start", "end", "code")]

"""Attributes and signatures of the functions and classes a module defines, read from source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from static_modules import Import, SourceTree

HIDDEN = "?"
"""Stands among attributes for "and others, which the source does not show"."""

_KEEPING = {
    "_disable_dynamo", "_disable_prexisiting_fake_mode", "_disallow_in_graph_helper", "_overload", "beartype",
    "classmethod", "compatibility", "contextmanager", "deprecated", "exposed_in", "final", "forbid_in_graph",
    "lru_cache", "overload", "patch", "staticmethod",
}  # fmt: skip
"""Decorators of torch after which a function is called as it was written; after others, who knows."""
_OVERLOADS = {"_overload", "overload"}
"""What `typing.overload` is called in torch."""
_PLAIN_BASES = {"object", "Generic", "Protocol", "NamedTuple", "ABC"}


def attributes(tree: SourceTree, module: str, name: str) -> set[str] | None:
    """The attributes of the function or class `module.name`, `HIDDEN` among them when there may be more.

    None when the name is no function or class there.
    """
    place = tree.resolve(module, name)
    if place is None:
        return None
    nodes = tree.nodes(*place)
    facts = tree.facts(place[0])
    set_from_outside = facts.attributes.get(place[1], set()) if facts else set()
    if all(isinstance(node, ast.FunctionDef) for node in nodes):
        return set(set_from_outside)
    if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef):
        return set_from_outside | set(_class_attributes(tree, place[0], nodes[0]))
    return None


def _class_attributes(tree: SourceTree, module: str, node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        parent = _parent(tree, module, base)
        if parent:
            yield from _class_attributes(tree, *parent)
        elif _last_name(base) not in _PLAIN_BASES:
            yield HIDDEN
    if node.keywords:
        yield HIDDEN
    for inner in _class_level(node):
        if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield HIDDEN if inner.name in ("__getattr__", "__getattribute__") else inner.name
            yield from (
                target.attr
                for target in ast.walk(inner)
                if isinstance(target, ast.Attribute) and isinstance(target.ctx, ast.Store)
            )
        elif isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
            yield inner.id


def _class_level(node: ast.ClassDef) -> Iterator[ast.AST]:
    """Every node of the class body that is not inside a method or an inner class."""
    waiting: list[ast.AST] = list(node.body)
    while waiting:
        inner = waiting.pop()
        yield inner
        if not isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(inner))


def _last_name(node: ast.expr) -> str:
    """The last name of `a.b.C`, `C[T]` or `C(...)`."""
    if isinstance(node, ast.Subscript):
        return _last_name(node.value)
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _parent(tree: SourceTree, module: str, base: ast.expr) -> tuple[str, ast.ClassDef] | None:
    place = tree.resolve(module, base.id) if isinstance(base, ast.Name) else None
    nodes = tree.nodes(*place) if place else []
    if place and len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef):
        return place[0], nodes[0]
    return None


def methods(tree: SourceTree, module: str, name: str) -> list[str]:
    """The public methods the class `module.name` itself defines; empty for anything else."""
    place = tree.resolve(module, name)
    nodes = tree.nodes(*place) if place else []
    if len(nodes) != 1 or not isinstance(nodes[0], ast.ClassDef):
        return []
    return sorted({m.name for m in nodes[0].body if isinstance(m, ast.FunctionDef) and not m.name.startswith("_")})


def signature(tree: SourceTree, module: str, name: str, method: str | None = None) -> list[str] | None:
    """The parameters of a function, of a class (its constructor) or of a method, without `self`.

    Each is "name" or "name=default", with the markers "/" and "*", "*name" and "**name" as in a `def`. None when the
    source does not settle them.
    """
    place = tree.resolve(module, name)
    if place is None:
        return None
    nodes = tree.nodes(*place)
    if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef):
        if method:
            return _one([inner for inner in nodes[0].body if getattr(inner, "name", "") == method], is_method=True)
        return _constructor(tree, place[0], nodes[0])
    return None if method else _one(nodes, is_method=False)


def _one(nodes: Sequence[ast.AST | Import], *, is_method: bool) -> list[str] | None:
    """The parameters the definitions of one name agree on."""
    found: list[list[str]] = []
    for node in nodes:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return None
        decorators = {_last_name(decorator) for decorator in node.decorator_list}
        if not decorators <= _KEEPING:
            return None
        if not decorators & _OVERLOADS:
            found.append(_parameters(node.args, skip=1 if is_method and "staticmethod" not in decorators else 0))
    return found[0] if found and all(parameters == found[0] for parameters in found) else None


def _parameters(arguments: ast.arguments, skip: int) -> list[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    texts = [_parameter(*pair) for pair in zip(positional, defaults, strict=True)]
    if arguments.posonlyargs:
        texts.insert(len(arguments.posonlyargs), "/")
    texts = texts[skip:]
    if arguments.vararg:
        texts.append(f"*{arguments.vararg.arg}")
    elif arguments.kwonlyargs:
        texts.append("*")
    texts += [_parameter(*pair) for pair in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return [*texts, f"**{arguments.kwarg.arg}"] if arguments.kwarg else texts


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    return argument.arg if default is None else f"{argument.arg}={ast.unparse(default)}"


def _constructor(tree: SourceTree, module: str, node: ast.ClassDef) -> list[str] | None:
    if node.keywords or any(getattr(inner, "name", "") == "__new__" for inner in node.body):
        return None
    own = [inner for inner in node.body if getattr(inner, "name", "") == "__init__"]
    if own:
        return _one(own, is_method=True)
    parents = [_parent(tree, module, base) for base in node.bases]
    if "dataclass" in {_last_name(decorator) for decorator in node.decorator_list}:
        return None if parents else _fields(node)
    first = parents[0] if len(parents) == 1 else None
    return _constructor(tree, *first) if first else None


def _fields(node: ast.ClassDef) -> list[str]:
    texts = []
    for inner in node.body:
        if not isinstance(inner, ast.AnnAssign) or _last_name(inner.annotation) == "ClassVar":
            continue
        default = f"={ast.unparse(inner.value)}" if inner.value else ""
        texts.append(ast.unparse(inner.target) + default)
    return texts

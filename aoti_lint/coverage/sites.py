"""The places that matter, as the text of a file shows them, whether or not anybody followed the code around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from aoti_lint.coverage.apis import APIS, KERNELS, ONNX
from aoti_lint.coverage.scopes import Attributes, Scope, dotted, held, own, scopes
from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.symbolic.ops import FAKE_KEYS

if TYPE_CHECKING:
    from aoti_lint.source.project import Project

FAKE_METHODS = frozenset({"register_fake", "_register_fake", "impl_abstract"})
RUNS = {"loaded": ("run", "boxed_run", "__call__"), "module": ("forward", "__call__")}
"""By what an object is: the methods that call the program."""
CALLABLE = frozenset({"loaded", "module", "program"})


class Found(NamedTuple):
    """A place in the text: its kind (`apis.KINDS`), and the function it stands in (empty: the top level)."""

    kind: str
    span: Span
    context: str


def sites_of(project: Project, path: str) -> list[Found]:
    """The places that matter in a file; none where it cannot be parsed."""
    tree = project.module(path)
    if tree is None:
        return []
    found = []
    attributes: Attributes = {}
    for scope in scopes(project, tree, attributes):
        given: set[int] = set()
        for one in own(scope.node):
            if isinstance(one, nodes.Call) and id(one) not in given:
                kinds = list(_kinds(scope, one, attributes))
                if not kinds and isinstance(one.func, nodes.Call):
                    # A decorator that is given its function at once does its work then.
                    kinds = [kind for kind in _kinds(scope, one.func, attributes) if kind in ("op", "fake")]
                    given.update([id(one.func)] if kinds else [])
                found += [Found(kind, Span(path, one.start, one.end), scope.qualname) for kind in kinds]
            for decorator in one.decorators if isinstance(one, nodes.FunctionDef) else ():
                if isinstance(decorator, nodes.Attr) and decorator.name in FAKE_METHODS:
                    found.append(Found("fake", Span(path, decorator.start, decorator.end), scope.qualname))
    return found


def _kinds(scope: Scope, node: nodes.Call, attributes: Attributes) -> Iterator[str]:
    name = dotted(scope, node.func)
    yield from APIS.get(name, ())
    given = {arg.name for arg in node.args}
    if name == ONNX and {"dynamo", "dynamic_shapes"} <= given:
        yield "export"
    elif name in KERNELS and _is_meta(node):
        yield "fake"
    if name in APIS:
        return
    if held(scope, node.func, attributes) in CALLABLE:
        yield "call"
    elif isinstance(node.func, nodes.Attr):
        method, base = node.func.name, held(scope, node.func.base, attributes)
        if method in RUNS.get(base, ()):
            yield "call"
        elif base == "library" and method == "define":
            yield "op"
        elif (base == "library" and method == "impl" and _is_meta(node)) or (method in FAKE_METHODS and not name):
            yield "fake"


def _is_meta(call: nodes.Call) -> bool:
    """Whether a key that is given makes the kernel a fake."""
    return any(isinstance(arg.value, nodes.Const) and arg.value.value in FAKE_KEYS for arg in call.args)

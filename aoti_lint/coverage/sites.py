"""The places that matter, as the text of a file shows them, whether or not anybody followed the code around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from aoti_lint.coverage.apis import APIS, KERNELS, ONNX
from aoti_lint.coverage.scopes import Attributes, Files, Scope, dotted, held, is_op_of_another_file, own, scopes
from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.tracing.trials.ops import FAKE_KEYS

FAKE_METHODS = frozenset({"register_fake", "_register_fake", "impl_abstract"})
RUNS = {"loaded": ("run", "boxed_run", "__call__"), "module": ("forward", "__call__")}
"""By what an object is: the methods that call the program."""
CALLABLE = frozenset({"loaded", "module", "program"})


class Found(NamedTuple):
    """A place in the text: its kind (`apis.KINDS`), and the function it stands in (empty: the top level)."""

    kind: str
    span: Span
    context: str


def sites_of(files: Files, path: str) -> list[Found]:
    """The places that matter in a file; none where it cannot be parsed."""
    tree = files.project.module(path)
    if tree is None:
        return []
    found = []
    text = _Text(files, path)
    for scope in scopes(files, tree, text.attributes):
        given: set[int] = set()
        for one in own(scope.node):
            if isinstance(one, nodes.Call) and id(one) not in given:
                kinds = list(text.kinds(scope, one))
                if not kinds and isinstance(one.func, nodes.Call):
                    # A decorator that is given its function at once does its work then.
                    kinds = [kind for kind in text.kinds(scope, one.func) if kind in ("op", "fake")]
                    given.update([id(one.func)] if kinds else [])
                found += [Found(kind, Span(path, one.start, one.end), scope.qualname) for kind in kinds]
            for decorator in one.decorators if isinstance(one, nodes.FunctionDef) else ():
                if isinstance(decorator, nodes.Attr) and text.makes_fake(scope, decorator):
                    found.append(Found("fake", Span(path, decorator.start, decorator.end), scope.qualname))
    return found


class _Text:
    """Judges the calls in the text of one file."""

    def __init__(self, files: Files, path: str) -> None:
        self._files, self._path = files, path
        self.attributes: Attributes = {}

    def kinds(self, scope: Scope, call: nodes.Call) -> Iterator[str]:
        """The kinds of place that a call is."""
        name = dotted(scope, call.func)
        yield from APIS.get(name, ())
        if name in APIS:
            return
        dynamo = next((arg.value for arg in call.args if arg.name == "dynamo"), None)
        if name == ONNX and dynamo is not None and not (isinstance(dynamo, nodes.Const) and dynamo.value is False):
            yield "export"
        elif name in KERNELS and _is_meta(call):
            yield "fake"
        elif held(scope, call.func, self.attributes) in CALLABLE:
            yield "call"
        elif isinstance(call.func, nodes.Attr):
            method, base = call.func.name, held(scope, call.func.base, self.attributes)
            if method in RUNS.get(base, ()):
                yield "call"
            elif base == "library" and method == "define":
                yield "op"
            elif (base == "library" and method == "impl" and _is_meta(call)) or self.makes_fake(scope, call.func):
                yield "fake"

    def makes_fake(self, scope: Scope, method: nodes.Attr) -> bool:
        """Whether a method of a library or an op registers a fake."""
        if method.name not in FAKE_METHODS:
            return False
        if held(scope, method.base, self.attributes) in ("library", "op"):
            return True
        return is_op_of_another_file(self._files, self._path, scope, method.base)


def _is_meta(call: nodes.Call) -> bool:
    """Whether a key that is given makes the kernel a fake."""
    return any(isinstance(arg.value, nodes.Const) and arg.value.value in FAKE_KEYS for arg in call.args)

"""What stands in the text of a file, whether or not anybody followed it: for what needs no flow to be judged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cached_property, partial
from itertools import pairwise

from aoti_lint.coverage.scopes import Files, Scope, dotted, held, scopes
from aoti_lint.ir import nodes
from aoti_lint.lazily.regex import regex
from aoti_lint.source.project import Project

# What waits for an error, or puts something else in the place of what is called.
_EXPECTS = regex(rb"raises|suppress|expectedfailure|xfail|\bskip\b|mock|warns|catch", re.IGNORECASE)
# What asks which torch there is, or what it has.
_ASKS = regex(
    rb"version|hasattr|getattr|signature|inspect|find_spec|__dict__|dir\(|list_|torch_?\w*\d|\d\.\d", re.IGNORECASE
)


class Place:
    """A place in the text of a file: the scope it stands in, and the nodes around it, the outermost first."""

    def __init__(self, path: str, around: tuple[nodes.Node, ...], find: Callable[[], Scope]) -> None:
        """`find` gives the scope: for that, files that this one imports may have to be read."""
        self.path, self.around, self._find = path, around, find

    @cached_property
    def scope(self) -> Scope:
        """The function, class or module that it stands in."""
        return self._find()

    def call(self) -> tuple[nodes.Call, str] | None:
        """The innermost call whose arguments it is in, and what that calls outside the project."""
        for one in reversed(self.around):
            if isinstance(one, nodes.Call):
                return one, self.dotted(one.func)
        return None

    def dotted(self, expr: nodes.Expr) -> str:
        """The qualified name of what an expression means there outside the project; empty if it means nothing."""
        return dotted(self.scope, expr)

    def held(self, expr: nodes.Expr) -> str:
        """What an expression gives there, as `apis.HOLDS` says it; empty if that is not known."""
        return held(self.scope, expr, {})


class Written:
    """The texts of the files of a project."""

    def __init__(self, project: Project) -> None:
        self._files = Files(project)
        self._scopes: dict[str, dict[int, Scope]] = {}

    def at(self, path: str, offset: int) -> Place | None:
        """The place at an offset of the text.

        None in a file that is no Python, where an error is expected or handled, where a condition around it asks what
        torch has, and where it stands in a string.
        """
        project = self._files.project
        tree, source = project.module(path), project.source(path)
        if tree is None or source is None:
            return None
        data = source.code.encode("utf-8", "surrogatepass")
        around = list(_around(tree, offset))
        inner: nodes.Node = tree
        for one, inside in pairwise(around):
            if _is_handled(one, inside, data):
                return None
            if isinstance(one, nodes.FunctionDef | nodes.ClassDef) and any(inside is part for part in one.body):
                inner = one
        last = around[-1] if around else None
        if last is None or (isinstance(last, nodes.Const) and last.start != offset):
            return None
        return Place(path, tuple(around), partial(self._scope, path, tree, inner))

    def _scope(self, path: str, tree: nodes.Module, node: nodes.Node) -> Scope:
        if path not in self._scopes:
            self._scopes[path] = {id(one.node): one for one in scopes(self._files, tree, {})}
        return self._scopes[path][id(node)]


def _around(tree: nodes.Module, offset: int) -> Iterator[nodes.Node]:
    """The nodes that an offset lies in, the outermost first."""
    todo: list[object] = [tree.body]
    while todo:
        one = todo.pop()
        if isinstance(one, list | tuple):
            todo += one
        elif isinstance(one, nodes.Node) and one.start <= offset < one.end:
            yield one
            parts = ("body" if part.name == "code" else part.name for part in fields(one))
            todo = [getattr(one, part) for part in parts]


def _is_handled(node: nodes.Node, inside: nodes.Node, data: bytes) -> bool:
    """Whether an error `inside` a node is expected, or comes after another one, or where torch was asked."""
    match node:
        case nodes.Try(handlers=handlers, final=final):
            return bool(handlers) and not any(inside is one for one in final)
        case nodes.With(items=items):
            return any(_EXPECTS.search(data, one.start, one.end) for one in items if one is not inside)
        case nodes.FunctionDef(decorators=decorators) | nodes.ClassDef(decorators=decorators):
            return any(_EXPECTS.search(data, one.start, one.end) for one in decorators if one is not inside)
        case nodes.Call(func=func):
            return inside is not func and _EXPECTS.search(data, func.start, func.end) is not None
        case nodes.If(test=test) | nodes.While(test=test) | nodes.IfExp(test=test):
            return inside is not test and _ASKS.search(data, test.start, test.end) is not None
        case nodes.Bool(start=start):
            return _ASKS.search(data, start, inside.start) is not None
    return isinstance(node, nodes.Match | nodes.Assert)

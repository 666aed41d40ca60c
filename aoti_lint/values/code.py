"""Where the code of a function or class stands, and the code itself when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from aoti_lint.ir import nodes

N = TypeVar("N", bound=nodes.Node)
Definition = nodes.FunctionDef | nodes.Lambda | nodes.ClassDef


class Looked:
    """The files whose definitions what runs has looked at."""

    __slots__ = ("paths",)

    def __init__(self) -> None:
        self.paths: set[str] = set()

    @contextmanager
    def apart(self) -> Iterator[set[str]]:
        """Gives what is looked at in here alone."""
        before, self.paths = self.paths, set()
        try:
            yield self.paths
        finally:
            self.paths = before


LOOKED = Looked()
"""Those of all that runs in this process, one after the other."""


class Code(Generic[N]):
    """A definition that begins at byte `start` of a file; `head` is where its name stands, or all of a lambda.

    `find` gives the definition if it is not known yet: one that was written down earlier is looked for in the IR of its
    file only where somebody needs it.
    """

    __slots__ = ("_find", "_node", "head", "path", "start")

    def __init__(
        self,
        path: str,
        start: int,
        head: tuple[int, int],
        node: N | None = None,
        find: Callable[[int], N] | None = None,
    ) -> None:
        self.path, self.start, self.head, self._node, self._find = path, start, head, node, find

    @classmethod
    def of(cls, path: str, node: N) -> Code[N]:
        """The code of a definition that is there."""
        head = node.start, node.end
        if isinstance(node, nodes.FunctionDef | nodes.ClassDef):
            head = node.name_start, node.name_start + len(node.name.encode())
        return cls(path, node.start, head, node)

    @property
    def node(self) -> N:
        """The definition."""
        LOOKED.paths.add(self.path)
        if self._node is None:
            assert self._find is not None
            self._node = self._find(self.start)
        return self._node


def definition_at(tree: nodes.Module, start: int) -> Definition | None:
    """The function, lambda or class that begins at this byte; None where there is none."""
    todo: list[object] = [tree.body]
    while todo:
        one = todo.pop()
        if isinstance(one, list | tuple):
            todo += one
        elif isinstance(one, nodes.Node) and one.start <= start < one.end:
            if isinstance(one, nodes.FunctionDef | nodes.Lambda | nodes.ClassDef) and one.start == start:
                return one
            if isinstance(one, nodes.FunctionDef) and isinstance(one.code, nodes.Later):
                code = one.code
                todo += [one.params, one.decorators]
                if code.start <= start < code.end:
                    todo.append(one.body)
                continue
            todo += [getattr(one, slot) for slot in one.__dataclass_fields__ if slot not in ("start", "end")]
    return None

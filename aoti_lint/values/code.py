"""Where the code of a function or class stands, and the code itself when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from aoti_lint.ir import nodes

N = TypeVar("N", bound=nodes.Node)


class Looked:
    """The definitions that what runs has looked at: the path of the file of each, and the byte it begins at."""

    __slots__ = ("at",)

    def __init__(self) -> None:
        self.at: set[tuple[str, int]] = set()

    @contextmanager
    def apart(self) -> Iterator[set[tuple[str, int]]]:
        """Gives what is looked at in here alone."""
        before, self.at = self.at, set()
        try:
            yield self.at
        finally:
            self.at = before


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
        LOOKED.at.add((self.path, self.start))
        if self._node is None:
            assert self._find is not None
            self._node = self._find(self.start)
        return self._node

"""From the text of a Python source to its IR.

Python's own parser reads it. What that cannot read, libcst may: syntax that is newer than the Python that runs us. To
say what is wrong with the rest is libcst's work too.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from typing import TypeVar

from aoti_lint.ir import nodes
from aoti_lint.ir.stack import TooDeep, with_deep_stack
from aoti_lint.profile import OFF, Timer
from aoti_lint.text.lines import LineIndex
from aoti_lint.text.problem import SourceProblem

T = TypeVar("T")

# libcst needs about 550 bytes of memory for each byte of source.
LARGEST = 2_000_000

_NOT_READ = (SyntaxError, ValueError, LookupError, RecursionError, MemoryError)
"""What Python's parser says of what it cannot read, and what lowering says of syntax that it does not know."""


def lower(text: str, path: str, bodies: Bodies | None = None) -> nodes.Module:
    """Lower the decoded text of one source (no byte order mark) to IR; larger bodies of functions when asked for.

    `path` is relative to the project root; `bodies` lowers what is left for later. Raises `SourceProblem` when the
    text is not Python, is too large or nested too deeply, or holds a literal Python would refuse.
    """
    if len(text) > LARGEST:
        raise SourceProblem(path, f"too large to be analysed: {len(text):,} characters, at most {LARGEST:,} are read")
    bodies = bodies or Bodies(text, path)
    return _quietly(path, lambda: _lower(text, path, bodies))


class Bodies:
    """Lowers bodies of the functions of one source, each when it is asked for.

    `changed` is called whenever that has happened, `problem` where it fails: the body then returns what nobody knows.
    """

    def __init__(
        self,
        text: str,
        path: str,
        changed: Callable[[], object] = lambda: None,
        problem: Callable[[SourceProblem], object] = lambda _: None,
        timer: Timer = OFF,
    ) -> None:
        self.data = text.encode("utf-8", "surrogatepass")
        self._path = path
        self._changed = changed
        self._problem = problem
        self._timer = timer

    def read(self, start: int, end: int) -> nodes.Body:
        """Lower the body whose lines stand from `start` to `end`."""
        try:
            with self._timer.during("read", self._path):
                body = _quietly(self._path, lambda: self._lower(start, end))
        except SourceProblem as problem:
            self._problem(problem)
            return nodes.Body(start, end, [nodes.Return(start, end, nodes.Name(start, end, "?"))], False)
        self._changed()
        return body

    def _lower(self, start: int, end: int) -> nodes.Body:
        from aoti_lint.ir.from_ast.module import lower_body

        try:
            return _with_room(lambda: lower_body(self.data, start, end))
        except (SyntaxError, ValueError, LookupError):
            raise SourceProblem(self._path, "syntax that is not known here", start) from None


def compiled(text: str, path: str) -> None:
    """Raises `SourceProblem` for what Python's parser reads and its compiler refuses: nothing of such a file runs.

    A `from __future__` import behind other code is the one that people write.
    """
    # What earlier runs have lowered is read without the parsers.
    import ast

    def work() -> None:
        try:
            tree = ast.parse(text)
        except _NOT_READ:
            return  # Lowering says what is wrong, or knows the syntax.
        try:
            compile(tree, path, "exec", dont_inherit=True, optimize=0)
        except SyntaxError as error:
            lines, row = LineIndex(text), error.lineno or 1
            offset = lines.offset(row, 1) + (error.offset or 1) - 1
            raise SourceProblem(path, f"invalid syntax: {error.msg}", min(offset, len(text.encode()))) from None
        except _NOT_READ:
            return

    _quietly(path, work)


def _lower(text: str, path: str, bodies: Bodies) -> nodes.Module:
    # What earlier runs have lowered is read without the parsers.
    from aoti_lint.ir.from_ast.module import lower_module

    try:
        return _with_room(lambda: lower_module(text, bodies.data, path, bodies.read))
    except _NOT_READ:
        from aoti_lint.ir.from_libcst.module import lower_module as lower_newer

        return with_deep_stack(lambda: lower_newer(text, path))


def _with_room(work: Callable[[], T]) -> T:
    """Run `work`, with room for deep nesting where there is some."""
    try:
        return work()
    except (RecursionError, MemoryError):
        return with_deep_stack(work)


def _quietly(path: str, work: Callable[[], T]) -> T:
    """Run `work` without the collector and without the warnings of Python's parser."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return work()
    except (TooDeep, RecursionError, MemoryError):
        raise SourceProblem(path, "nested too deeply to be analysed") from None
    finally:
        if collecting:
            gc.enable()

"""From the text of a Python source to its IR."""

from __future__ import annotations

import gc
import warnings
from collections.abc import Callable
from typing import TypeVar

from aoti_lint.ir import nodes
from aoti_lint.profile import OFF, Timer
from aoti_lint.text.problem import SourceProblem

T = TypeVar("T")

# libcst needs about 550 bytes of memory for each byte of source.
LARGEST = 2_000_000

# Raised whenever the IR of an unchanged source may come out differently.
LOWERING_VERSION = 2

# What stands before the lines of a body that is parsed by itself.
_HEADER = "if 1:\n"


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
        self._data = text.encode("utf-8", "surrogatepass")
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
            # Python has parsed it, so this is a syntax that only libcst does not know.
            self._problem(problem)
            return nodes.Body(start, end, [nodes.Return(start, end, nodes.Name(start, end, "?"))], False)
        self._changed()
        return body

    def _lower(self, start: int, end: int) -> nodes.Body:
        import libcst as cst

        from aoti_lint.ir.lower_stmt import StatementLowering
        from aoti_lint.ir.parse import parse

        text = _HEADER + self._data[start:end].decode()
        tree, spans = parse(text, self._path, start - len(_HEADER), checked=True)
        (block,) = tree.body
        assert isinstance(block, cst.If)
        return StatementLowering(spans, self._path).function_body(block.body)


def _lower(text: str, path: str, bodies: Bodies) -> nodes.Module:
    from aoti_lint.ir.lower_stmt import StatementLowering
    from aoti_lint.ir.parse import parse
    from aoti_lint.ir.skeleton import skeleton

    found = skeleton(text)
    short, blanks = found or (text, [])
    tree, spans = parse(short, path, checked=found is not None)
    spans.move_ends({blank.stub + 1: blank.last for blank in blanks})
    left_out = {blank.stub: nodes.Later(blank.start, blank.end, bodies.read) for blank in blanks}
    return nodes.Module(0, len(text.encode()), path, StatementLowering(spans, path, left_out).body(tree))


def _quietly(path: str, work: Callable[[], T]) -> T:
    """Run `work` with room for deep nesting, without the collector and without the warnings of Python's parser."""
    from aoti_lint.ir.stack import with_deep_stack

    collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return with_deep_stack(work)
    except (RecursionError, MemoryError):
        raise SourceProblem(path, "nested too deeply to be analysed") from None
    finally:
        if collecting:
            gc.enable()

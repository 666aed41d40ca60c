"""What tracing makes of an `assert` of what the values in tensors decide. Run on torch 2.13, 58 forms in each way.

Where it traces Python's code, with `strict=True` and in `torch.compile`, an `assert` becomes part of the program if its
test is one question, or the last of several, and its message is there to be read. Since torch 2.8 an export that does
not trace Python's code looks at the bytecode, and makes part of the program what has no message
(`_is_python_assert` in `torch/fx/experimental/symbolic_shapes.py`).
"""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.tracing.questions import last

_REFUSED = frozenset({"equal", "allclose", "all", "any"})
"""Functions that ask, or are refused, before anything hangs on their answer."""


def part_of_the_program(statement: nodes.Node | None, asked: nodes.Node, name: str) -> tuple[bool, bool]:
    """Whether what is `asked` in a statement becomes part of the program: where Python is traced, and where it is not.

    `name` is the function whose answer it is, empty if it is none's.
    """
    if not isinstance(statement, nodes.Assert) or name in _REFUSED:
        return False, False
    test = last(statement.test)
    several = isinstance(test, nodes.IfExp) or (isinstance(test, nodes.Compare) and len(test.ops) > 1)
    if test is None or several or (test.start, test.end) != (asked.start, asked.end):
        return False, False
    if statement.message is None:
        return True, True
    return _is_written_out(statement.message), False


def only_checks(statement: nodes.Node | None) -> bool:
    """Whether nothing hangs on what a statement asks but whether an exception is raised."""
    if isinstance(statement, nodes.If):
        return not statement.orelse and bool(statement.body) and isinstance(statement.body[-1], nodes.Raise)
    return isinstance(statement, nodes.Assert)


def _is_written_out(message: nodes.Expr) -> bool:
    """Whether a message is a constant in the bytecode."""
    match message:
        case nodes.Const(value=str()):
            return True
        case nodes.Bin(op="+", left=left, right=right):
            return _is_written_out(left) and _is_written_out(right)
        case nodes.Format(parts=parts):
            return all(map(_is_written_out, parts))
    return False

"""Where the forward raises that an export runs."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.forwards import Raised

MAX_RAISED = 20
"""Places where one forward raises that are remembered."""
_ASKED = frozenset({"__getattribute__", "__getattr__", "__getitem__", "__next__", "__iter__"})
"""Methods that Python calls, whose exceptions it takes for an answer: there is no such attribute, no item is left."""
_ANSWERS = frozenset({"AttributeError", "IndexError", "KeyError", "StopIteration"})


def note(m: Machine, node: nodes.Node, exception: str, why: str = "") -> None:
    """It raises an exception of this name, the last word of it, at `node`; `why` says what Python refuses there."""
    trace = m.root.trace
    if trace is not None and m.root.watch is None and len(trace.raised) < MAX_RAISED and not _is_taken(m, exception):
        trace.raised.append(Raised(m.span(node), exception, dict(m.root.path), m.root.caught, why))


def _is_taken(m: Machine, exception: str) -> bool:
    """Whether what is raised may be an answer to Python, or to `getattr` and `hasattr`."""
    return exception in _ANSWERS and any(one.qualname.rpartition(".")[2] in _ASKED for one in m.root.frames)

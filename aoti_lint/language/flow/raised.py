"""Where the forward raises that an export runs."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.forwards import Raised

MAX_RAISED = 20
"""Places where one forward raises that are remembered."""


def note(m: Machine, node: nodes.Node, exception: str, why: str = "") -> None:
    """It raises an exception of this name, the last word of it, at `node`; `why` says what Python refuses there."""
    trace = m.root.trace
    if trace is not None and m.root.watch is None and len(trace.raised) < MAX_RAISED:
        trace.raised.append(Raised(m.span(node), exception, dict(m.root.path), m.root.caught, why))

"""Temporary folders that are removed when a `with` ends, or by `cleanup()`, and what is loaded from them then."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.data.paths import FRESH
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.machine.machine import Machine
from aoti_lint.values.events.api import ApiCall
from aoti_lint.values.torch_values import FileName
from aoti_lint.values.values import Func, Unknown, Value

GONE = "a load from a temporary folder that is gone"
"""What a load is told as; the place of its folder is that of `folder`."""
_TABLE = "gone folders"


@dataclass(frozen=True, slots=True)
class Removed(Value):
    """That a folder was removed, in the table by its key: at `span`."""

    span: Span = field(compare=False)


def remove(m: Machine, node: nodes.Node, folder: Value | None) -> None:
    """A temporary folder is removed with all that is in it; in a generator, nobody knows when."""
    running = m.frame.func
    if isinstance(running, Func) and isinstance(running.node, nodes.FunctionDef) and running.node.is_generator:
        return
    if isinstance(folder, Unknown) and folder.key.startswith(FRESH):
        m.store.write(_TABLE, folder.key, Removed(m.span(node)))


def note_load(m: Machine, node: nodes.Node, file: FileName) -> None:
    """Tell the rules where a file is loaded that lay in a folder which is gone."""
    folder = file.key[0].strip("<>") if file.key else ""
    removed = m.store.read(_TABLE, folder)
    if isinstance(removed, Removed) and len(file.key) > 1:
        m.emit(ApiCall, node, name=GONE, args=(), kwargs={}, places={"folder": removed.span}, tags={}, open=False)

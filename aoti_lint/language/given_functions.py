"""Inner functions that unknown code was given: the routes of an app that a function makes, callbacks of a window."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import functions
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.frames import Frame


def run_handed(m: Machine) -> None:
    """Run those that nothing has called by the end of the root, where the variables around them still are.

    They get what that code likes, whatever their defaults are.
    """
    todo, m.root.handed = m.root.handed, []
    for func, guards in todo:
        m.asks("demand", func.place[0])
        if func.place in m.demand.told or not isinstance(func.node, nodes.FunctionDef):
            continue
        site, frames = Call(func.node, [], open=True), [Frame(func.module.ident, func.module, "")]
        path = {**m.root.path, **m.demand.defined.get(func.place, {})}
        with m.running(m.root.within(frames=frames, guards=guards, path=path)):
            functions.run(m, site, func, None, functions.bind_arguments(m, site, func, None))

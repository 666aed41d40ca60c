"""Hooks of modules that compiled code has run already: it was traced without them, and no guard asks for them.

Run on torch 2.13: hooks of a module of the project that is compiled are called by what stands around the compiled code,
and those of modules inside it, or of modules that a compiled function calls, only by code that is compiled anew.
"""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language.effects import api_calls
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, TRUE, Class, Compilation, Obj

APART = "compiled apart"
"""Owner of cells, one for each compilation of which the parts are compiled by themselves."""
RUN = "#run by compiled code"
"""The slot of a module that holds by which compilation its forward was run."""


def called(m: Machine, owner: Obj) -> None:
    """The module `owner` is called."""
    if m.root.compiling and m.root.compiling[-1] != m.read(owner.ident, RUN):
        m.store.write(owner.ident, RUN, m.root.compiling[-1])


def around(m: Machine, owner: Obj, by: Compilation, *, in_place: bool) -> None:
    """`owner` itself is compiled: its hooks are not in the compiled code, unless its forward is that of torch.

    `torch/_dynamo/eval_frame.py`, `OptimizedModule._initialize`, of release 2.13.0. In place, such a forward is not
    compiled at all, and what it calls by itself.
    """
    of_project = isinstance(owner.cls, Class)
    if of_project and m.read(owner.ident, RUN) is not None:
        m.store.write(owner.ident, RUN, NONE)
    if in_place and not of_project:
        m.store.write(APART, str(by.ident), TRUE)


def hooked(m: Machine, node: nodes.Node, owner: Obj) -> None:
    """A hook is registered for `owner`."""
    by = m.read(owner.ident, RUN)
    if isinstance(by, Compilation) and not m.root.compiling and m.read(APART, str(by.ident)) is None:
        api_calls.tell(m, Call(node, [by]), api_calls.HOOKED_LATE)

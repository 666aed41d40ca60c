"""What the language asks of models. It knows none of them: where Python's own meaning ends, it asks here.

At a tensor, a module, a record or a release of torch one model knows the answer, and says so with `@hook.answers`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Generic, ParamSpec, TypeVar

from aoti_lint.ir import nodes
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import Trace
from aoti_lint.values.call import Call
from aoti_lint.values.events.forwards import CondBranch
from aoti_lint.values.torch_values import Program, Tensor
from aoti_lint.values.values import Class, Compilation, Func, Obj, Value

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """A question that one model answers. Asking it before the models are loaded raises AssertionError."""

    def __init__(self) -> None:
        self._answer: Callable[P, R] | None = None

    def answers(self, function: Callable[P, R]) -> Callable[P, R]:
        """Make `function` the answer; it can be called by its own name as before."""
        assert self._answer is None, function
        self._answer = function
        return function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        assert self._answer is not None, "the models are not loaded"
        return self._answer(*args, **kwargs)


# ---------------------------------------------------------------- functions and classes

define_class: Hook[[Machine, nodes.ClassDef, str], Class] = Hook()
"""The class that a statement defines, by its qualified name, with its body run."""
decorated: Hook[[Machine, nodes.FunctionDef | nodes.ClassDef, nodes.Expr, Value], Value] = Hook()
"""What a decorator makes of a function or class."""
may_be_left_out: Hook[[Machine, Func], bool] = Hook()
"""Whether a function is a test that may be skipped."""
make_instance: Hook[[Machine, Call, Class], Value | None] = Hook()
"""An instance of an enum, named tuple, dataclass or settings class; None for an ordinary class."""
inherited_init: Hook[[Machine, Call, Obj], None] = Hook()
"""`__init__` of a class outside the project, run on an instance of one of the project."""
is_instance: Hook[[Machine, Value, Value], Value] = Hook()
"""`isinstance(value, classes)`."""
has_attribute: Hook[[Machine, Value, str], Value] = Hook()
"""`hasattr(value, name)`."""
positional_fields: Hook[[Machine, Class], list[str]] = Hook()
"""The fields of a dataclass or named tuple that its constructor takes by position."""
compared_items: Hook[[Machine, Value], list[Value] | None] = Hook()
"""The fields of a dataclass instance that `==` compares; None if they are not all known, or none says so."""
ordered_by_fields: Hook[[Class], bool] = Hook()
"""Whether a dataclass is made with `order=True`."""

# ---------------------------------------------------------------- calls from outside

called_in_forward: Hook[[Machine, Call, Value], None] = Hook()
"""Something is called in the forward that is traced now."""
function_in_forward: Hook[[Machine, Call, str], None] = Hook()
"""A function outside the project is called in the forward that is traced now."""
given_in_forward: Hook[[Machine, Call, str, bool], None] = Hook()
"""A function of torch, by its full name, or a method of a tensor, which is its first argument, is called there."""
call_op: Hook[[Machine, Call, str], Value] = Hook()
"""A call of `torch.ops.…`."""
op_result: Hook[[Machine, Call, str], Value | None] = Hook()
"""What a custom op gives, by its name, in the forward that is traced now; None where that is not known."""
make_module: Hook[[Machine, Call, str], Value] = Hook()
"""An instance of a class of `torch.nn` that has no model of its own."""

# ---------------------------------------------------------------- what belongs to torch

bound_in_module: Hook[[Machine, Obj, str, Value], Value] = Hook()
"""What a module holds after `module.name = value`."""
replaced_in_module: Hook[[Machine, Obj, Value], None] = Hook()
"""An attribute of a built-in module was bound, perhaps in the place of one of its own parameters."""
deleted_from_module: Hook[[Machine, Obj, str], None] = Hook()
"""`del module.name`."""
let_go: Hook[[Machine, nodes.Node, object, str], None] = Hook()
"""A name of a namespace is bound to another object at a place, or deleted: asked before that is done."""
set_on_tensor: Hook[[Machine, Tensor, str, Value], None] = Hook()
"""`tensor.name = value`."""
on_device: Hook[[Machine, Value], AbstractContextManager[None] | None] = Hook()
"""`with device:`; None where the value is no device."""
compared_release: Hook[[Machine, str, Value, Value], Value | None] = Hook()
"""A comparison with the version of torch, as a question about the release; None if it is none."""
widened: Hook[[Machine, Value, Value], Value | None] = Hook()
"""A value that covers what two rounds of a loop left; None where these are no tensors, or tuples of them."""
read_again: Hook[[Machine, Call, Program, Trace], dict[str, tuple[Any, ...]]] = Hook()
"""What further runs of the forward of an exported program find, as parts of an `ExportEvent`."""
read_branch: Hook[[Machine, Call, Value], CondBranch] = Hook()
"""What a further run of one of the functions of `torch.cond` finds, by what both are given."""
Given = tuple[Value, ...]
"""What a call is given, by position and then by name, frozen."""
read_compiled: Hook[[Machine, Call, Given, Compilation, Value, Callable[[Call], Value]], dict[str, Any]] = Hook()
"""What further runs of a compiled function, method or module find at its first call, as parts of a `CompiledCall`."""

# ---------------------------------------------------------------- the process

end_module: Hook[[Machine], None] = Hook()
"""The top level of a module was run: what functions registered can be tried while what they hold is there."""
begin_root: Hook[[Machine, str, bool], None] = Hook()
"""A script is run for itself: it finds the variables that files outside Python set for it, and that is told or not."""
merged_environment: Hook[[Machine, list[tuple[nodes.Node, Value | None, Value]]], Value] = Hook()
"""What a dict display makes of an environment and other entries; those without a key are mappings (`**`)."""

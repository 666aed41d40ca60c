"""The first call of what `torch.compile` gave, run once more with an observer for each question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from aoti_lint.language.effects import marks
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.models.export.tracing import tensors_in
from aoti_lint.models.modules import forwards
from aoti_lint.tracing.data.asking import ANSWERS
from aoti_lint.tracing.data.compiled import CompiledWatch
from aoti_lint.tracing.data.held import held_tensors
from aoti_lint.tracing.forwards.forward import CHECKS, ForwardWatch
from aoti_lint.tracing.forwards.raising import aside, of_compiled
from aoti_lint.tracing.forwards.read_again import exchanged_call
from aoti_lint.tracing.forwards.ways import way_of
from aoti_lint.tracing.operations import BY_DATA
from aoti_lint.tracing.strides import SPACES
from aoti_lint.values.call import Call
from aoti_lint.values.events.forwards import SizeGuard
from aoti_lint.values.sizes.shapes import Input, inputs
from aoti_lint.values.sizes.symbols import Expr
from aoti_lint.values.torch_values import Program, Tensor
from aoti_lint.values.values import (
    FALSE,
    NONE,
    Bound,
    Class,
    Compilation,
    Const,
    Func,
    NodePlace,
    Obj,
    Pairs,
    Tup,
    Value,
)

_TRACED = frozenset({
    "len", "range", "int", "float", "bool", "isinstance", "min", "max", "sum", "abs", "tuple", "list", "dict", "zip",
    "enumerate", "getattr", "hasattr", "super", "type", "round", "sorted", "reversed", "any", "all", "divmod",
})  # fmt: skip
"""Functions of Python that become part of a graph."""
_READING = BY_DATA | ANSWERS | {"item", "tolist", "numpy", "data_ptr", "backward", "cpu", "cuda"}
"""Functions and methods at which a graph may end."""


@hooks.read_compiled.answers
def read_compiled(
    m: Machine, call: Call, given: hooks.Given, by: Compilation, model: Value, run: Callable[[Call], Value]
) -> dict[str, Any]:
    """What a call of compiled code asks, as parts of a `CompiledCall`: in which way it is made, and of the first more.

    Of the values in tensors where it is one graph, and of the sizes that `mark_dynamic` marked. Code that was compiled
    before may have made sizes dynamic that differed.
    """
    if m.root.compiling or m.root.trace is not None or m.root.watch is not None:
        return {}
    told: dict[str, Any] = {} if m.root.muted else way_of(m, call, by, model)
    if by.ident in m.root.read:
        return told
    code = _code(model)
    again = code in m.root.read
    m.root.read |= {by.ident} if code is None else {by.ident, code}
    if by.option("fullgraph") not in (NONE, FALSE):
        module = model.receiver if isinstance(model, Bound) else model
        held = [one.tensor for one in held_tensors(m, module)]
        roots = frozenset(tensor.key for tensor in (*tensors_in(Tup(given)), *held))
        watch = CompiledWatch(roots=roots, handlers=len(m.root.guards), begun=m.last)
        aside(m, by, lambda: run(call), watch=watch)
        told["data"] = tuple(watch.uses)
    if not m.root.muted and not call.open:
        told |= of_compiled(m, call, by, model, run)
    if again or by.option("dynamic") not in (NONE, FALSE):
        return told
    return {**told, **_marked(m, call, given, by, model, run)}


def _code(model: Value) -> NodePlace | None:
    """What the code that is compiled is known by."""
    match model:
        case Func():
            return model.place
        case Bound(func=Func() as func):
            return func.place
        case Obj(cls=Class() as cls):
            return cls.place
    return None


def _marked(
    m: Machine, call: Call, given: hooks.Given, by: Compilation, model: Value, run: Callable[[Call], Value]
) -> dict[str, Any]:
    """What the call asks of marked sizes. All others, and those of parameters, stay as they are: run on torch 2.13."""
    if call.open:
        return {}
    count = len(call.args)
    args, kwargs = Tup(given[:count]), Pairs(tuple(zip(map(Const, call.kwargs), given[count:], strict=True)))
    plain = (one for one in tensors_in(Tup((args, kwargs))) if not one.role)
    marked = {one.key: dims for one in plain if (dims := m.read(marks.DIMS, one.key))}
    if not any(m.read(marks.DECLARED, key) for key in marked):
        return {}
    params = forwards.parameters(m, model) or ()
    program = Program(
        m.fresh(), m.span(call.node), "torch.compile", model, args, kwargs, NONE, NONE, NONE, dict(m.root.path),
        marks=tuple(marked.items()), signature=tuple(name for name, _ in params),
    )  # fmt: skip
    opened = {one.tensor.key: made for one in inputs(program) if (made := _declared(m, one).opened(program))}
    found = [size for _, sizes in opened.values() for size in sizes]
    with_open = exchanged_call(m, call, {key: tensor for key, (tensor, _) in opened.items()})
    if not found or with_open is None:
        return {}
    watch = MarkedWatch(examples={size.root: size.example for size in found})
    aside(m, by, lambda: run(with_open), watch=watch)
    return {"program": program, "open_sizes": tuple(found), "guards": watch.asked_for()}


def _declared(m: Machine, one: Input) -> Input:
    """An input with its marks as what `dynamic_shapes` would say of it."""
    return replace(one, spec=NONE if one.tensor.role else m.read(marks.DECLARED, one.tensor.key) or NONE)


@dataclass(slots=True)
class MarkedWatch(ForwardWatch):
    """Where a graph may end, marks are lost of what was made before: nothing is noted from there on."""

    ended_early: bool = False

    def _guard(self, m: Machine, kind: str, where: Any, left: Expr, op: str, right: Expr) -> SizeGuard | None:
        if self.ended_early or not m.root.compiling:
            return None
        return super()._guard(m, kind, where, left, op, right)

    def external(self, m: Machine, site: Call, name: str, run: Callable[[], Value]) -> Value:
        """A call of something outside the project."""
        space, _, tail = name.rpartition(".")
        known = name in _TRACED or name in CHECKS or space in SPACES or space in ("math", "operator", "torch.nn")
        self.ended_early = self.ended_early or not known or tail in _READING
        return super().external(m, site, name, run)

    def method(self, m: Machine, site: Call, receiver: Value, name: str, run: Callable[[], Value]) -> Value:
        """A call of a method that the project does not define."""
        self.ended_early = self.ended_early or (isinstance(receiver, Tensor) and name in _READING)
        return super().method(m, site, receiver, name, run)

    def unfollowed(self) -> None:
        """Something is called of which nothing is known."""
        self.ended_early = True

    def asked(self, m: Machine, tensor: Tensor, cond: Any, node: Any) -> None:
        """The truth of a tensor is asked for."""
        self.ended_early = True

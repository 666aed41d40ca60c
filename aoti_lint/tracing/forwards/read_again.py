"""Further runs of the forward of an exported model, each with an observer for one question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from aoti_lint.language.classes import modules
from aoti_lint.language.data import containers, frozen
from aoti_lint.language.effects import leftovers
from aoti_lint.language.effects.leftovers import Caches
from aoti_lint.language.functions import CACHED
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import Trace
from aoti_lint.models.export.tracing import example, run_within, tensors_in
from aoti_lint.models.modules import module_parts
from aoti_lint.models.tensors.sizes import is_integer, some_integer
from aoti_lint.models.torch import inferred
from aoti_lint.tracing.data.held import held_tensors
from aoti_lint.tracing.data.watch import DataWatch
from aoti_lint.tracing.forwards.buffers import BufferWatch, is_computed
from aoti_lint.tracing.forwards.forward import ForwardWatch
from aoti_lint.tracing.forwards.outside import OutsideWatch, outside
from aoti_lint.tracing.forwards.raising import by_inputs, unknown_inputs
from aoti_lint.tracing.forwards.refusals import is_misdeclared, refuses
from aoti_lint.tracing.forwards.repeated import RepeatWatch
from aoti_lint.tracing.forwards.state import StateWatch
from aoti_lint.tracing.trial_observer import Watch
from aoti_lint.values.call import Call
from aoti_lint.values.events.forwards import OpenSize
from aoti_lint.values.sizes.arguments import entry_at
from aoti_lint.values.sizes.shapes import inputs
from aoti_lint.values.torch_values import Device, Program, Tensor
from aoti_lint.values.values import NONE, TRUE, Bound, Class, Const, Func, Obj, Tup, Unknown, Value


@hooks.read_again.answers
def read_again(m: Machine, call: Call, program: Program, first: Trace) -> dict[str, tuple[Any, ...]]:
    """What they find, as parts of an `ExportEvent`; `first` is what the run on the example inputs came by.

    Where one of them does not end, that is noted in `first`.
    """
    told = {**_openly(m, call, program, first), **_data(m, call, program, first), **_raised(m, call, program, first)}
    sizes, guards, data, raised = (told.get(part, ()) for part in ("open_sizes", "guards", "data", "raised"))
    first.refused = refuses(program, sizes, guards, m.root.path, data, raised)
    return told


def exchanged_call(m: Machine, given: Call, by: Mapping[str, Tensor]) -> Call | None:
    """The call of a model with other tensors; None if an input holds what is not followed."""
    args = [_exchanged(m, value, by) for value in given.args]
    kwargs = {name: _exchanged(m, value, by) for name, value in given.kwargs.items()}
    if given.open or None in args or None in kwargs.values():
        return None
    return replace(
        given, args=[a for a in args if a is not None], kwargs={k: v for k, v in kwargs.items() if v is not None}
    )


def _openly(m: Machine, call: Call, program: Program, first: Trace) -> dict[str, tuple[Any, ...]]:
    """What the forward asks of sizes and which custom ops it calls, on inputs whose dynamic sizes are open.

    As parts of an `ExportEvent`; empty where nothing is declared dynamic, or an input holds what is not followed.
    `first` is what the run on the example inputs came by, where it is noted if this one does not end.
    """
    model = program.model
    if m.root.trace is not None or m.root.watch is not None:
        return {}
    if not (modules.is_module(m, model) or isinstance(model, Func | Bound)):
        return {}
    open_inputs, found = _opened(m, call, program)
    if not found or open_inputs is None:
        return {}
    watch = ForwardWatch(examples={size.root: size.example for size in found})
    again = _watched(m, first, model, open_inputs, watch)
    return {"calls": tuple(again.open_calls), "open_sizes": tuple(found), "guards": watch.asked_for()}


def _opened(m: Machine, call: Call, program: Program) -> tuple[Call | None, list[OpenSize]]:
    """The call of the model with open sizes where they are dynamic; None if an input holds what is not followed."""
    given = example(m, call)
    opened = {one.tensor.key: made for one in inputs(program) if (made := one.opened(program)) is not None}
    found = [size for _, sizes in opened.values() for size in sizes]
    if not found:
        return given, found
    args = [_open_number(m, value, program, i) for i, value in enumerate(given.args)]
    kwargs = {name: _open_number(m, value, program, name) for name, value in given.kwargs.items()}
    by = {key: tensor for key, (tensor, _) in opened.items()}
    return exchanged_call(m, replace(given, args=args, kwargs=kwargs), by), found


def _raised(m: Machine, call: Call, program: Program, first: Trace) -> dict[str, tuple[Any, ...]]:
    """Where the forward raises because of its example inputs, as a part of an `ExportEvent`."""
    if not first.raised or m.root.trace is not None or is_misdeclared(program):
        return {}
    blind = run_within(m, program.model, unknown_inputs(m, program.model, example(m, call)))
    return {"raised": by_inputs(first, blind)}


def _is_ours(m: Machine, model: Value) -> bool:
    """Whether what is exported is a function, or a module with a forward that is written in the project."""
    if isinstance(model, Func | Bound) or (isinstance(model, Obj) and isinstance(model.cls, Class)):
        return True
    inside = module_parts.descendants(m, model) if isinstance(model, Obj) and modules.is_module(m, model) else None
    return any(isinstance(one, Obj) and isinstance(one.cls, Class) for one in inside or ())


def _data(m: Machine, call: Call, program: Program, first: Trace) -> dict[str, tuple[Any, ...]]:
    """What the forward asks of the values in tensors and which it changes, as parts of an `ExportEvent`."""
    model = program.model
    if not _is_ours(m, model) or m.root.trace is not None or m.root.watch is not None:
        return {}
    inputs_given = [tensor.key for tensor in tensors_in(Tup((program.args, program.kwargs)))]
    held = list(held_tensors(m, model))
    roots = frozenset([*inputs_given, *(one.tensor.key for one in held if one.tensor.role)])
    plain = {one.tensor.key: one.name for one in held if not one.tensor.role and one.tensor.key not in inputs_given}
    buffers = {one.tensor.key: one.name for one in held if one.tensor.role == "buffer"}
    weights = {one.tensor.key: one.name for one in held if one.tensor.role == "parameter"}
    watch = DataWatch(roots=roots, plain=plain, weights=weights, handlers=len(m.root.guards), begun=m.last)
    first.control += _watched(m, first, model, example(m, call), watch).control
    told: dict[str, tuple[Any, ...]] = {"data": tuple(watch.uses), "changes": tuple(watch.changes)}
    told["inference"] = tuple(inferred.changed(m, watch.mutated))
    if watch.assigned or watch.added:
        state = StateWatch(buffers=frozenset(buffers), model=model.ident if isinstance(model, Obj) else None)
        _watched(m, first, model, example(m, call), state, _like(m, example(m, call)))
        told["lost"] = tuple(state.lost())
    if boxed := outside(m, model):
        looking = OutsideWatch(outside=boxed)
        _watched(m, first, model, example(m, call), looking)
        told["outside"] = tuple(looking.uses)
    if program.strict != TRUE:
        leftovers.keep(m, call.node, _outside(m, model, watch.caches))
    if watch.kept:
        repeated = RepeatWatch()
        _watched(m, first, model, example(m, call), repeated, _like(m, example(m, call)))
        told["numbers"] = tuple(repeated.kept())
    if watch.assigned or buffers.keys() & watch.mutated.keys():
        told |= _buffers(m, call, program, first, buffers)
    return told


def _outside(m: Machine, model: Value, caches: Caches) -> Caches:
    """Of caches those that surely are no lists and dicts in attributes of a model, which an export puts back."""
    of_functions = {cell: held for cell, held in caches.items() if cell[1].startswith(CACHED)}
    if len(of_functions) == len(caches) or not isinstance(model, Obj):
        return caches
    if (inside := module_parts.descendants(m, model)) is None:
        return of_functions
    slots = (m.see(held) for one in inside if isinstance(one, Obj) for _, held in list(m.store.slots(one.ident)))
    own = {held.ident for held in slots if isinstance(held, Obj)}
    return {cell: held for cell, held in caches.items() if cell[0] not in own}


def _buffers(
    m: Machine, call: Call, program: Program, first: Trace, names: dict[str, str]
) -> dict[str, tuple[Any, ...]]:
    """What becomes of the buffers that the forward changes, in a package of the program."""
    open_inputs, found = _opened(m, call, program)
    if open_inputs is None:
        return {}
    own = program.model.ident if isinstance(program.model, Obj) else None
    held = list(held_tensors(m, program.model))
    single = [one.tensor.key for one in held if is_computed(one.tensor)]
    watch = BufferWatch(
        examples={size.root: size.example for size in found},
        names=names,
        slots={(one.owner, one.name): one.tensor.key for one in held if one.tensor.key in names and one.owner == own},
        now={key: frozenset([key]) for key in single if key in names},
        constants=frozenset(key for key in single if key not in names),
        keeps_assigned=program.strict != TRUE,
    )
    _watched(m, first, program.model, open_inputs, watch)
    return {"folds": tuple(watch.folds()), "old": tuple(watch.old())}


def _like(m: Machine, given: Call) -> Call:
    """A call with other tensors of the same kind."""

    def other(value: Value) -> Value:
        by = {one.key: replace(one, key=f"t{m.fresh()}") for one in tensors_in(frozen.freeze(m, value))}
        return _exchanged(m, value, by) or value

    return replace(given, args=[other(v) for v in given.args], kwargs={k: other(v) for k, v in given.kwargs.items()})


def _watched(
    m: Machine, first: Trace, model: Value, given: Call, watch: Watch, then: Call | None = None
) -> Trace:  # fmt: skip
    """Run a model as an export does, once more and within bounds, while `watch` looks on; perhaps `then` again.

    Gives what that run came by; where it does not end, `first` says so.
    """
    again = run_within(m, model, given, then, watch)
    first.unended = first.unended or again.unended  # what was found on the way there is true
    return again


def _open_number(m: Machine, value: Value, program: Program, at: int | str) -> Value:
    """An integer input as it is, unless `dynamic_shapes` may leave it open."""
    seen = m.see(value)
    if not isinstance(seen, Const) or type(seen.value) is not int:
        return seen
    static = entry_at(program, at) == NONE
    return seen if static else some_integer(m, "an integer input that may be dynamic")


def _exchanged(m: Machine, value: Value, by: Mapping[str, Tensor]) -> Value | None:
    """An input with other tensors in it; None where it may hold some that are not seen."""
    seen = m.see(value)
    match seen:
        case Tensor():
            return by.get(seen.key, seen)
        case Const() | Device() | Func():
            return seen
        case Unknown() if is_integer(seen):
            return seen
        case Tup(items):
            inner = [_exchanged(m, item, by) for item in items]
            return None if None in inner else replace(seen, items=tuple(i for i in inner if i is not None))
        case Obj(kind="list") if (held := containers.items_of(m, seen)) is not None:
            inner = [_exchanged(m, item, by) for item in held]
            return None if None in inner else m.new_list([i for i in inner if i is not None])
        case Obj(kind="dict") if (pairs := containers.dict_pairs(m, seen)) is not None:
            made = [(key, _exchanged(m, item, by)) for key, item in pairs]
            return None if any(v is None for _, v in made) else containers.new_dict(m, [(k, v) for k, v in made if v])
        case Obj(kind="instance", cls=Class(ident=number)) if m.read(number, frozen.REGISTERED) is not None:
            slots = [(name, _exchanged(m, held, by)) for name, held in list(m.store.slots(seen.ident))]
            other = replace(seen, ident=m.fresh())
            for name, part in slots:
                if part is None:
                    return None
                m.store.write(other.ident, name, part)
            return other
    return None

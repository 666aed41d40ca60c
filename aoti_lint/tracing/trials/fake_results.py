"""What a custom op gives where it is called in a forward that is traced: what its fake gives for these arguments.

An export runs no kernel (release 2.13.0, `torch/_library/fake_impl.py`): sizes and dtypes are those that the fake says,
also where the kernel would give others.
"""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language import calls
from aoti_lint.language.data import frozen
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.state import Trace
from aoti_lint.models.ops.op_parameters import BY_PLACE, callee
from aoti_lint.models.tensors.tensor_base import derived
from aoti_lint.tracing.trials.ops import definition, implementations, is_fake, signature
from aoti_lint.values.call import Call
from aoti_lint.values.events.ops import OpImpl
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Size, Tup, Value


@hooks.op_result.answers
def op_result(m: Machine, call: Call, op: str) -> Value | None:
    """None where that is not known: the op has no fake in the project, or several, or this one is not followed."""
    if m.root.trace is None or call.open:
        return None
    fake = _fake(m, op)
    given = None if fake is None else _given(m, call, fake)
    if fake is None or fake.function is None or given is None:
        return None
    # What the fake asks of sizes and makes on the way is no part of the program, but for its results.
    with m.running(m.root.within(muted=m.root.muted + 1, trace=Trace(), watch=None), m.demand.tried()):
        found = frozen.freeze(m, calls.call(m, given, fake.function))
    if isinstance(found, Tup) and found.cls is None and len(found.items) == 1:
        return None  # of no schema: the call raises
    taken = [seen for value in call.values if isinstance(seen := m.see(value), Tensor)]
    return _outputs(m, found, taken) if taken or found == NONE else None


def _fake(m: Machine, op: str) -> OpImpl | None:
    """The fake of an op; where scripts beside each other define the same op, that of the script that runs."""
    found = [one for one in implementations(m, op) if is_fake(one)]
    script = m.root.name.split("::")[0]
    own = [one for one in found if one.root.split("::")[0] == script]
    # A script that runs as a module, too, registers it once.
    places = {one.span: one for one in own or found}
    return next(iter(places.values())) if len(places) == 1 else None


def _given(m: Machine, call: Call, fake: OpImpl) -> Call | None:
    """The call as the fake gets it; None where it lacks an argument, and the export raises.

    Arguments have the names of the schema, and those of the fake only where it takes them by name alone. The last ones
    are left out where they are at their defaults (run on torch 2.13): then the defaults of the fake count.
    """
    defined, func = definition(m, fake), callee(m, fake.function)
    if defined is None or func is None:
        return None
    own = callee(m, defined.function)
    named = {place.name for place in func.places if place.kind not in BY_PLACE}
    parameters = [one.name for one in signature(m, defined, func)[0]]
    last = max((i for i, name in enumerate(parameters) if name in call.kwargs and name not in named), default=-1)
    args = [*call.args]
    for name in parameters[len(args) : last + 1]:
        value = call.kwargs.get(name, None if own is None else own.func.defaults.get(name))
        if value is None or name in named:
            return None
        args.append(value)
    kwargs = {name: value for name, value in call.kwargs.items() if name in named}
    lacking = [p.name for p in func.places[len(args) :] if p.name not in kwargs and p.name not in func.func.defaults]
    return None if lacking else Call(call.node, args, kwargs)


def _outputs(m: Machine, value: Value, taken: list[Tensor]) -> Value | None:
    """The outputs as tensors of the program, each made of all that the op was given."""
    match value:
        case Tup(items):
            made = [_outputs(m, item, taken) for item in items]
            return None if None in made else replace(value, items=tuple(one for one in made if one is not None))
        case Tensor():
            shape = value.shape
            if shape is not None and not all(isinstance(m.see(size), Const | Size) for size in shape):
                shape = None
            found = derived(m, taken[0], shape=shape, dtype=value.dtype, device=value.device)
            if m.root.watch is not None:
                m.root.watch.sources[found.key] = tuple(one.key for one in taken)
            return found
        case Const() | Size():
            return value
    return None

"""Custom operators: `torch.library` in all its forms, and calls of the ops."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.classes import objects
from aoti_lint.language.data import containers, frozen
from aoti_lint.language.data.paths import file_name
from aoti_lint.language.effects import api_calls, backward
from aoti_lint.language.tools import leave
from aoti_lint.machine import hooks
from aoti_lint.machine.changes import change
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.shared import REGISTERED
from aoti_lint.machine.state import OpCalled
from aoti_lint.machine.tables import function, method
from aoti_lint.models.ops import fake_mode, transforms
from aoti_lint.models.python.annotations import infer_of, unwrapped
from aoti_lint.models.tensors.size_reads import size_arguments
from aoti_lint.models.tensors.sizes import number
from aoti_lint.values.call import Call
from aoti_lint.values.events.event import Order
from aoti_lint.values.events.forwards import OpenCall
from aoti_lint.values.events.ops import NativeLibrary, OpCall, OpDefinition, OpGradients, OpImpl, name_of
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import NONE, Const, Func, Obj, Partial, Ref, Text, Value

DEFINED = Ref("CustomOpDef")
LIBRARY = Ref("torch.library.Library")


def plain_name(value: Value) -> Value:
    """`ns::op` without `.default`; with the namespace's dot form turned into `::`."""
    if isinstance(value, Const) and isinstance(value.value, str):
        return Const(value.value.removesuffix(".default"))
    if isinstance(value, Ref) and value.name.startswith("torch.ops."):
        parts = value.name.removeprefix("torch.ops.").split(".")
        if len(parts) >= 2:
            overload = "" if len(parts) == 2 or parts[2] == "default" else f".{parts[2]}"
            return Const(f"{parts[0]}::{parts[1]}{overload}")
    return value


def base(name: str) -> str:
    """`ns::op` of `ns::op.overload`; a namespace may have a dot in it."""
    namespace, colons, word = name.rpartition("::")
    return namespace + colons + word.split(".", 1)[0]


def op_key(op: Value) -> str:
    """The name of an op without its overload; `ns::?`, `?::name` or `?` where part or all of it is not known."""
    if isinstance(op, Const) and isinstance(op.value, str):
        return base(op.value)
    end = op.parts[-1] if isinstance(op, Text) else None
    if len(op.parts if isinstance(op, Text) else ()) == 2 and isinstance(end, Const) and str(end.value)[:2] == "::":
        return base(f"?{end.value}")
    namespace = namespace_of(op)
    return f"{namespace}::?" if namespace else "?"


def namespace_of(op: Value) -> str:
    """The namespace of a partly known op name; empty if it is not known either."""
    if isinstance(op, Text) and isinstance(op.parts[0], Const) and "::" in str(op.parts[0].value):
        return str(op.parts[0].value).split("::", 1)[0]
    return ""


def op_name(m: Machine, value: Value) -> Value:
    """The op that an argument names: text, an op object, or what `custom_op` made."""
    value = m.see(value)
    if isinstance(value, Obj) and value.cls == DEFINED:
        return m.read(value.ident, "name") or value
    return plain_name(value)


def define(
    m: Machine, call: Call, api: str, op: Value, *, schema: Value | None = None, mutates: Value | None = None,
    func: Value | None = None, tags: Value | None = None, place: Span | None = None, library: int | None = None,
    inferred: bool = False, devices: list[Value] | None = None,
) -> None:  # fmt: skip
    """Tell of the definition of an op; `inferred`: its schema is made of the annotations of `func`."""
    returns, declared = None, unwrapped(m, func)
    if (
        isinstance(declared, Func)
        and isinstance(declared.node, nodes.FunctionDef)
        and declared.node.returns is not None
    ):
        returned = declared.node.returns
        returns = "None" if isinstance(returned, nodes.Const) and returned.value in (None, "None") else "value"
    changed = None if mutates is None else frozen.freeze(m, mutates)
    made = m.emit(
        OpDefinition,
        call.node,
        op=op,
        api=api,
        schema=schema,
        returns=returns,
        function=func,
        mutates=changed,
        tags=None if tags is None else frozen.freeze(m, tags),
        inferred=infer_of(m, func, changed) if inferred else None,
        devices=None if devices is None else tuple(m.see(one) for one in devices),
        place=place,
        library=library,
    )
    if made is not None:
        m.do(_registered, name_of(made.op), made.order)


@change(waits=lambda op, _: (REGISTERED, op))
def _registered(m: Machine, op: str, made: Order) -> None:
    m.ops.untried.setdefault(op, set()).add(made)
    m.ops.of_turn.setdefault(made.turn, {})[op] = None


def implement(
    m: Machine, call: Call, op: Value, keys: list[Value], func: Value | None, fake: bool = False, *, api: str = "",
    place: Span | None = None, library: int | None = None,
) -> None:  # fmt: skip
    made = m.emit(
        OpImpl,
        call.node,
        op=op,
        keys=tuple(m.see(objects.plain_enum(m, k)) for k in keys),
        function=None if func is None else m.see(func),
        is_fake=fake,
        api=api,
        place=place,
        library=library,
    )
    if made is not None:
        m.do(_registered, name_of(made.op), made.order)


def key_list(m: Machine, value: Value) -> list[Value]:
    value = m.see(value)
    items = containers.items_of(m, value) if not isinstance(value, Const) else None
    return items if items is not None else [value]


def later(api: str, *args: Value, **kwargs: Value) -> Partial:
    """The decorator a registration gives when it is not handed the function yet."""
    return Partial(Ref(api), args, tuple(kwargs.items()))


# ---------------------------------------------------------------- custom_op and CustomOpDef


def _definer(api: str) -> None:
    @function(api)
    def model(m: Machine, call: Call) -> Value:
        name = call.arg(0, "name") or call.arg(None, "qualname") or NONE
        func = call.arg(1, "fn") or call.arg(None, "func_or_schema") or call.arg(None, "manual_schema")
        if func is not None and isinstance(written := m.see(func), Const) and isinstance(written.value, str):
            # The two old ones take a schema in its place; the older then still wants a function.
            call = replace(call, kwargs={**call.kwargs, "schema": func})
            if api == "torch._custom_ops.custom_op":
                return defined(m, call, api, name, NONE)
            func = None
        if func is None or m.see(func) == NONE:
            return later(f"#{api}", name, **call.kwargs)
        return defined(m, call, api, name, func)

    @function(f"#{api}")
    def decorate(m: Machine, call: Call) -> Value:
        return defined(m, call, api, call.args[0], call.args[1] if len(call.args) > 1 else NONE)


def defined(m: Machine, call: Call, api: str, name: Value, func: Value) -> Value:
    name = plain_name(m.see(name))
    made = Obj(m.fresh(), "object", DEFINED)
    m.store.write(made.ident, "name", name)
    m.store.write(made.ident, "function", func)
    schema, mutates = call.kwargs.get("schema"), call.kwargs.get("mutates_args")
    inferred = schema is None or m.see(schema) == NONE
    if inferred and _is_refused(m, func, mutates) and m.catches("ValueError", "Exception", "BaseException"):
        return leave(m, "ValueError")
    define(
        m,
        call,
        api,
        name,
        schema=schema,
        mutates=mutates,
        func=m.see(func),
        tags=call.kwargs.get("tags"),
        inferred=inferred,
        devices=key_list(m, call.kwargs.get("device_types", NONE)),
    )
    return made


def _is_refused(m: Machine, func: Value, mutates: Value | None) -> bool:
    """Whether torch, in all releases in question, makes no schema of a function: ValueError (run on 2.13)."""
    made = infer_of(m, m.see(func), None if mutates is None else frozen.freeze(m, mutates))
    return made is not None and any(m.versions() <= fault.failing for fault in made.faults)


for _api in ("torch.library.custom_op", "torch._library.custom_ops.custom_op", "torch.library.triton_op",
"torch._library.triton.triton_op", "torch._library.triton_op",
             "torch._custom_ops.custom_op", "torch._custom_op.impl.custom_op"):  # fmt: skip
    _definer(_api)


def _self_name(m: Machine, receiver: Value) -> Value:
    return m.read(receiver.ident, "name") or NONE if isinstance(receiver, Obj) else NONE


_ON_OP = "torch.library.CustomOpDef"


@method("CustomOpDef", "register_fake", "impl_abstract")
def _register_fake_on(m: Machine, call: Call, receiver: Value) -> Value:
    api_calls.tell(m, call, f"{_ON_OP}.register_fake", receiver)
    func = call.arg(0, "fn") or NONE
    implement(m, call, _self_name(m, receiver), [], func, fake=True)
    return func


@method("CustomOpDef", "register_kernel")
def _register_kernel_on(m: Machine, call: Call, receiver: Value) -> Value:
    api_calls.tell(m, call, f"{_ON_OP}.register_kernel", receiver)
    keys, func = call.arg(0, "device_types") or NONE, call.arg(1, "fn")
    if func is None:
        return later("#kernel", _self_name(m, receiver), keys)
    implement(m, call, _self_name(m, receiver), key_list(m, keys), func)
    return func


@function("#kernel")
def _kernel(m: Machine, call: Call) -> Value:
    func = call.args[2] if len(call.args) > 2 else NONE
    implement(m, call, call.args[0], key_list(m, call.args[1]), func)
    return func


@method("CustomOpDef", "register_autograd")
def _register_autograd(m: Machine, call: Call, receiver: Value) -> Value:
    api_calls.tell(m, call, f"{_ON_OP}.register_autograd", receiver)
    backward, setup = (m.see(one or NONE) for one in (call.arg(0, "backward"), call.kwargs.get("setup_context")))
    m.emit(OpGradients, call.node, op=_self_name(m, receiver), function=backward, setup=setup)
    return NONE


@method("CustomOpDef", "register_vmap", "register_autocast", "register_torch_dispatch", "set_kernel_enabled")
def _register_other(m: Machine, call: Call, receiver: Value) -> Value:
    return call.arg(0) or NONE


@function("torch.library.opcheck")
def _opcheck(m: Machine, call: Call) -> Value:
    """It calls the op with the example."""
    name = op_name(m, call.arg(0, "op") or NONE)
    given = containers.items_of(m, call.arg(1, "args") or NONE)
    if isinstance(name, Const):
        m.note_inputs(base(str(name.value)), given or ())
    return m.unknown(call.node, "what opcheck found")


@method("CustomOpDef", "__call__")
def _call_defined(m: Machine, call: Call, receiver: Value) -> Value:
    """The op was called as a function: its body is a kernel, which a trace does not enter."""
    name = _self_name(m, receiver)
    if not isinstance(name, Const):
        return m.unknown(call.node, "what a custom op returns")
    return _called_op(m, call, str(name.value))


def _called_op(m: Machine, call: Call, op: str) -> Value:
    note_call(m, call, op)
    made = hooks.op_result(m, call, op)
    if made is None:
        made = m.unknown(call.node, f"what the custom op {op} returns")
    return backward.called(m, call.node, base(op), call.values, made)


@change(waits=lambda op, _: ("op", op), once=lambda op, called: (op, called))
def _called(m: Machine, op: str, called: OpCalled) -> None:
    m.ops.calls.setdefault(op, {})[called] = None


def _known(m: Machine, value: Value) -> tuple[int | None, str | None]:
    """Dimensions and dtype of a tensor, or of each in a list."""
    if isinstance(value, Tensor):
        return None if value.shape is None else len(value.shape), value.dtype
    items = [m.see(item) for item in containers.items_of(m, value) or ()]
    each = {_known(m, item) for item in items} if all(isinstance(item, Tensor) for item in items) else set()
    return each.pop() if len(each) == 1 else (None, None)


def _number(m: Machine, value: Value) -> int | tuple[int | None, ...] | None:
    """A whole number, or the sizes of a tensor."""
    if isinstance(value, Tensor) and value.shape is not None:
        return tuple(number(m.see(size)) for size in value.shape)
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def note_call(m: Machine, call: Call, op: str) -> None:
    """A custom op is called."""
    trace = m.root.trace
    if trace is not None and m.root.watch is not None:
        given_now = tuple(frozen.freeze(m, value) for value in call.args)
        trace.open_calls.append(OpenCall(base(op), m.span(call.node), given_now))
        return
    m.note_op(call.node, op, call.args, call.kwargs)
    if not call.open and not any(guard.expected for guard in m.root.guards):
        given: list[tuple[int | str, Value]] = [*enumerate(call.args), *call.kwargs.items()]
        seen = [(place, one) for place, value in given if (one := m.see(value)) != NONE]
        known = tuple((place, *_known(m, one)) for place, one in seen)
        numbers = tuple((place, number) for place, one in seen if (number := _number(m, one)) is not None)
        m.do(_called, op, OpCalled(m.root.name.split("::")[0], known, numbers))
    m.asks("op", op)
    m.emit(
        OpCall,
        call.node,
        op=op,
        args=tuple(frozen.freeze(m, value) for value in call.args),
        kwargs={key: frozen.freeze(m, value) for key, value in call.kwargs.items()},
        places=api_calls.places(m, call),
        open=call.open,
        sizes=size_arguments(m, call),
        transform=transforms.around(m),
        faked=fake_mode.is_on(m),
        within=tuple(m.root.compiling),
    )


# ---------------------------------------------------------------- torch.ops


_ABOUT = frozenset({
    "overloads", "name", "tags", "decompose", "redispatch", "has_kernel_for_dispatch_key",
    "has_kernel_for_any_dispatch_key",
})  # fmt: skip
"""Methods of what stands for an op, which do not call it (`torch/_ops.py` of release 2.13.0)."""


@hooks.call_op.answers
def call_torch_op(m: Machine, call: Call, name: str) -> Value:
    """`torch.ops.ns.op(...)`, and registrations through an op object such as `.py_impl(...)`."""
    parts = name.removeprefix("torch.ops.").split(".")
    if parts[-1] in ("py_impl", "py_functionalize_impl"):
        key = m.see(call.arg(0, "k") or NONE)
        op = plain_name(Ref(".".join(["torch.ops", *parts[:-1]])))
        return later("#impl", op, Const(key.name.rsplit(".", 1)[-1]) if isinstance(key, Ref) else key)
    if parts[-1] in _ABOUT or len(parts) > 3 or (len(parts) == 3 and parts[2].startswith("_")):
        # What is below an overload, or hidden, is something about the op: `torch.ops.ns.op.default._name.split(…)`.
        return m.unknown(call.node, f"what {name} returns")
    if parts[0] == "load_library":
        file = file_name(m, call.arg(0, "path") or NONE)
        m.emit(NativeLibrary, call.node, api=name, sources=None, file=file, loaded=True)
        return NONE
    if len(parts) >= 2 and parts[0] not in (
        "aten",
        "prims",
        "prim",
        "higher_order",
        "inductor",
        "quantized_decomposed",
    ):
        named = plain_name(Ref(name))
        if isinstance(named, Const):
            return _called_op(m, call, str(named.value))
    return m.unknown(call.node, f"what {name} returns")

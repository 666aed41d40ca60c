"""Custom operators: `torch.library` in all its forms, and calls of the ops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aoti_lint.interp import containers, objects
from aoti_lint.interp import events as ev
from aoti_lint.interp.models.registry import Call, function, method
from aoti_lint.interp.operators import concat
from aoti_lint.interp.values import (
    NONE,
    Choice,
    Const,
    Func,
    Obj,
    Partial,
    Ref,
    Text,
    Tup,
    Unknown,
    Value,
    leaves,
)
from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine

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
    """`ns::op` of `ns::op.overload`."""
    return name.split(".", 1)[0]


def op_key(op: Value) -> str:
    """The name of an op without its overload; `ns::?` or `?` where part or all of it is not known."""
    if isinstance(op, Const) and isinstance(op.value, str):
        return base(op.value)
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
    func: Value | None = None, tags: Value | None = None,
) -> None:  # fmt: skip
    returns = None
    if isinstance(func, Func) and isinstance(func.node, nodes.FunctionDef) and func.node.returns is not None:
        returned = func.node.returns
        returns = "None" if isinstance(returned, nodes.Const) and returned.value in (None, "None") else "value"
    made = m.emit(
        ev.OpDefinition,
        call.node,
        op=op,
        api=api,
        schema=schema,
        returns=returns,
        function=func,
        mutates=None if mutates is None else containers.freeze(m, mutates),
        tags=None if tags is None else containers.freeze(m, tags),
    )
    if made is not None:
        m.registered.append(made)


def implement(m: Machine, call: Call, op: Value, keys: list[Value], func: Value | None, fake: bool = False) -> None:
    made = m.emit(
        ev.OpImpl,
        call.node,
        op=op,
        keys=tuple(m.see(objects.plain_enum(m, k)) for k in keys),
        function=None if func is None else m.see(func),
        is_fake=fake,
    )
    if made is not None:
        m.registered.append(made)


def later(api: str, *args: Value, **kwargs: Value) -> Partial:
    """The decorator a registration gives when it is not handed the function yet."""
    return Partial(Ref(api), args, tuple(kwargs.items()))


# ---------------------------------------------------------------- custom_op and CustomOpDef


def _definer(api: str) -> None:
    @function(api)
    def model(m: Machine, call: Call) -> Value:
        name = call.arg(0, "name") or call.arg(None, "qualname") or NONE
        func = call.arg(1, "fn") or call.arg(None, "func")
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
    define(
        m,
        call,
        api,
        name,
        schema=call.kwargs.get("schema"),
        mutates=call.kwargs.get("mutates_args"),
        func=m.see(func),
        tags=call.kwargs.get("tags"),
    )
    return made


for _api in ("torch.library.custom_op", "torch._library.custom_ops.custom_op", "torch.library.triton_op",
"torch._library.triton.triton_op",
             "torch._custom_ops.custom_op", "torch._custom_op.impl.custom_op"):  # fmt: skip
    _definer(_api)


def _self_name(m: Machine, receiver: Value) -> Value:
    return m.read(receiver.ident, "name") or NONE if isinstance(receiver, Obj) else NONE


@method("CustomOpDef", "register_fake", "impl_abstract")
def _register_fake_on(m: Machine, call: Call, receiver: Value) -> Value:
    func = call.arg(0, "fn") or NONE
    implement(m, call, _self_name(m, receiver), [], func, fake=True)
    return func


@method("CustomOpDef", "register_kernel")
def _register_kernel_on(m: Machine, call: Call, receiver: Value) -> Value:
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


@method(
    "CustomOpDef",
    "register_autograd",
    "register_vmap",
    "register_autocast",
    "register_torch_dispatch",
    "set_kernel_enabled",
)
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
    if isinstance(name, Const):
        m.note_op(call.node, str(name.value), call.values)
    return m.unknown(call.node, "what a custom op returns")


# ---------------------------------------------------------------- functions of torch.library


def key_list(m: Machine, value: Value) -> list[Value]:
    value = m.see(value)
    items = containers.items_of(m, value) if not isinstance(value, Const) else None
    return items if items is not None else [value]


@function("torch.library.define")
def _define(m: Machine, call: Call) -> Value:
    name, schema = m.see(call.arg(0, "qualname") or NONE), m.see(call.arg(1, "schema") or Const(""))
    if isinstance(name, Const) and isinstance(name.value, str) and "(" in name.value:
        whole = name.value
        name, schema = Const(whole.split("(", 1)[0]), Const("(" + whole.split("(", 1)[1])
    if not (isinstance(schema, Const | Text)):
        schema = Unknown(f"u{m.fresh()}", "the schema is not known")
    define(m, call, "torch.library.define", plain_name(name), schema=schema, tags=call.kwargs.get("tags"))
    return NONE


@function("torch.library.register_fake", "torch.library.impl_abstract", "torch._library.fake_impl.register_fake")
def _register_fake(m: Machine, call: Call) -> Value:
    op, func = op_name(m, call.arg(0, "op") or call.arg(None, "qualname") or NONE), call.arg(1, "func")
    if func is None or m.see(func) == NONE:
        return later("#fake", op)
    implement(m, call, op, [], func, fake=True)
    return func


@function("#fake")
def _fake(m: Machine, call: Call) -> Value:
    func = call.args[1] if len(call.args) > 1 else NONE
    implement(m, call, call.args[0], [], func, fake=True)
    return func


@function("torch._custom_ops.impl_abstract")
def _old_fake(m: Machine, call: Call) -> Value:
    return later("#fake", op_name(m, call.arg(0, "qualname") or NONE))


@function("torch.library.register_kernel", "torch.library.impl", "torch._custom_ops.impl")
def _impl(m: Machine, call: Call) -> Value:
    first = m.see(call.arg(0, "qualname") or call.arg(None, "op") or call.arg(None, "lib") or NONE)
    if isinstance(first, Obj) and first.cls == LIBRARY:  # impl(lib, name, dispatch_key)
        key = call.arg(2, "dispatch_key") or Const("")
        op = library_op(m, first, call.arg(1, "name") or NONE)
        return later("#impl", op, default_key(m, first, key))
    keys, func = call.arg(1, "types") or call.arg(None, "device_types") or NONE, call.arg(2, "func")
    if func is None or m.see(func) == NONE:
        return later("#impl", op_name(m, first), keys)
    implement(m, call, op_name(m, first), key_list(m, keys), func)
    return func


@function("#impl")
def _impl_later(m: Machine, call: Call) -> Value:
    func = call.args[2] if len(call.args) > 2 else NONE
    implement(m, call, call.args[0], key_list(m, call.args[1]), func)
    return func


@function("torch.library.register_autograd", "torch.library.register_vmap", "torch.library.register_autocast",
          "torch.library.register_torch_dispatch")  # fmt: skip
def _register_nothing(m: Machine, call: Call) -> Value:
    return NONE


# ---------------------------------------------------------------- Library


@function("torch.library.Library", "torch.library._scoped_library")
def _library(m: Machine, call: Call) -> Value:
    made = Obj(m.fresh(), "object", LIBRARY)
    m.store.write(made.ident, "ns", m.see(call.arg(0, "ns") or NONE))
    m.store.write(made.ident, "kind", m.see(call.arg(1, "kind") or NONE))
    m.store.write(made.ident, "key", m.see(call.arg(2, "dispatch_key") or Const("")))
    return made


def library_op(m: Machine, library: Value, name: Value) -> Value:
    """The qualified name of `name` in a library."""
    name = m.see(name)
    if isinstance(name, Ref):
        return plain_name(name)
    if isinstance(name, Const) and isinstance(name.value, str) and "::" in name.value:
        return plain_name(name)
    ns = m.read(library.ident, "ns") if isinstance(library, Obj) else None
    if isinstance(name, Const | Text) and ns is not None:
        return plain_name(concat([ns, Const("::"), name]))
    return Unknown(f"u{m.fresh()}", "the name of the op is not known")


def default_key(m: Machine, library: Value, key: Value) -> Value:
    """The dispatch key of a kernel: that of its library where none is given."""
    key = m.see(key)
    if key == Const("") and isinstance(library, Obj):
        key = m.read(library.ident, "key") or key
    return Const("CompositeImplicitAutograd") if key == Const("") else key


@method("torch.library.Library", "define")
def _library_define(m: Machine, call: Call, receiver: Value) -> Value:
    given = m.see(call.arg(0, "schema") or NONE)
    for path, schema in leaves(given) if isinstance(given, Choice) else [({}, given)]:
        with m.assuming(path):
            text = schema.value if isinstance(schema, Const) and isinstance(schema.value, str) else None
            head = schema.parts[0] if isinstance(schema, Text) else None
            if text is None and isinstance(head, Const) and "(" in str(head.value):
                text = str(head.value)  # only the end of the schema is unknown
            if text is None or "(" not in text:
                op: Value = Unknown(f"u{m.fresh()}", "the schema is not known")
            else:
                op = library_op(m, receiver, Const(text.split("(", 1)[0].strip()))
            define(m, call, "torch.library.Library.define", op, schema=schema, tags=call.arg(None, "tags"))
    return NONE


@method("torch.library.Library", "impl")
def _library_impl(m: Machine, call: Call, receiver: Value) -> Value:
    key = default_key(m, receiver, call.arg(2, "dispatch_key") or Const(""))
    implement(m, call, library_op(m, receiver, call.arg(0, "op_name") or NONE), [key], call.arg(1, "fn"))
    return NONE


@method("torch.library.Library", "_register_fake", "register_fake")
def _library_fake(m: Machine, call: Call, receiver: Value) -> Value:
    implement(m, call, library_op(m, receiver, call.arg(0, "op_name") or NONE), [], call.arg(1, "fn"), fake=True)
    return NONE


@method("torch.library.Library", "fallback", "_destroy", "_impl_with_aoti_compile", "_register_torch_dispatch_rule")
def _library_other(m: Machine, call: Call, receiver: Value) -> Value:
    return NONE


# ---------------------------------------------------------------- torch.ops


def call_torch_op(m: Machine, call: Call, name: str) -> Value:
    """`torch.ops.ns.op(...)`, and registrations through an op object such as `.py_impl(...)`."""
    parts = name.removeprefix("torch.ops.").split(".")
    if parts[-1] in ("py_impl", "py_functionalize_impl"):
        key = m.see(call.arg(0, "k") or NONE)
        op = plain_name(Ref(".".join(["torch.ops", *parts[:-1]])))
        return later("#impl", op, Const(key.name.rsplit(".", 1)[-1]) if isinstance(key, Ref) else key)
    if parts[0] == "load_library":
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
            m.note_op(call.node, str(named.value), call.values)
    return m.unknown(call.node, f"what {name} returns")


def vllm_style(m: Machine, call: Call) -> Value:
    """`direct_register_custom_op(op_name=, op_func=, mutates_args=, fake_impl=, target_lib=)` of vLLM and its kin."""
    name = m.see(call.arg(0, "op_name") or NONE)
    library = m.see(call.kwargs.get("target_lib", NONE))
    op = library_op(m, library, name) if isinstance(library, Obj) else concat([Const("vllm::"), name])
    define(
        m,
        call,
        "direct_register_custom_op",
        op,
        mutates=call.arg(2, "mutates_args") or Tup(()),
        func=m.see(call.arg(1, "op_func") or NONE),
    )
    fake = m.see(call.arg(3, "fake_impl") or NONE)
    if fake != NONE:
        implement(m, call, op, [], fake, fake=True)
    return NONE


for _name in (
    "vllm.utils.direct_register_custom_op",
    "vllm.utils.torch_utils.direct_register_custom_op",
    "sglang.srt.utils.direct_register_custom_op",
):
    function(_name)(vllm_style)


@function("torch.library.infer_schema", "torch._library.infer_schema.infer_schema")
def _infer_schema(m: Machine, call: Call) -> Value:
    """The schema of a Python function, as far as rules ask for it: what it changes and whether it returns anything."""
    func, mutates = m.see(call.arg(0, "prototype_function") or NONE), m.see(call.arg(None, "mutates_args") or Tup(()))
    unknown = Unknown(f"u{m.fresh()}", "a schema that was not followed")
    if not (isinstance(func, Func) and isinstance(func.node, nodes.FunctionDef)):
        return Text((Const("("), unknown))
    names = containers.items_of(m, mutates) if not isinstance(mutates, Const) else None
    if names is None and mutates != Const("unknown"):
        return Text((Const("("), unknown))
    changed = {n.value for n in names or () if isinstance(n, Const)}
    parts = [f"Tensor{'(a!)' if names is None or p.name in changed else ''} {p.name}" for p in func.node.params]
    returned = func.node.returns
    nothing = isinstance(returned, nodes.Const) and returned.value in (None, "None")
    name = call.arg(None, "op_name") or Const("")
    return concat([m.see(name), Const(f"({', '.join(parts)}) -> {'()' if nothing else 'Tensor'}")])

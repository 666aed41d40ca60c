"""Custom operators: the functions of `torch.library`, and `Library`."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language.data import frozen
from aoti_lint.language.data.texts import concat
from aoti_lint.language.effects.api_calls import places
from aoti_lint.language.flow import lasting
from aoti_lint.machine import hooks
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.ops.ops import LIBRARY, base, define, implement, key_list, later, op_name, plain_name
from aoti_lint.models.python.annotations import infer_of, mutated
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.ops import OpGradients, OpInference, OpLibrary, OpLibraryEnd
from aoti_lint.values.values import NONE, Choice, Const, Obj, Text, Tup, Unknown, Value

# ---------------------------------------------------------------- functions of torch.library


def _place(m: Machine, call: Call, index: int, name: str) -> Span | None:
    """Where an argument of a registration stands."""
    found = places(m, call)
    return found.get(index) or found.get(name)


@function("torch.library.define")
def _define(m: Machine, call: Call) -> Value:
    name, schema = m.see(call.arg(0, "qualname") or NONE), m.see(call.arg(1, "schema") or Const(""))
    if isinstance(name, Const) and isinstance(name.value, str) and "(" in name.value:
        whole = name.value
        name, schema = Const(whole.split("(", 1)[0]), Const("(" + whole.split("(", 1)[1])
    if not (isinstance(schema, Const | Text)):
        schema = Unknown(f"u{m.fresh()}", "the schema is not known")
    place = _place(m, call, 1, "schema")
    given = m.see(call.kwargs.get("lib", NONE))
    library = given.ident if isinstance(given, Obj) else None
    tags = call.kwargs.get("tags")
    define(m, call, "torch.library.define", plain_name(name), schema=schema, tags=tags, place=place, library=library)
    return NONE


@function("torch.library.register_fake", "torch.library.impl_abstract", "torch._library.fake_impl.register_fake")
def _register_fake(m: Machine, call: Call) -> Value:
    op, func = op_name(m, call.arg(0, "op") or call.arg(None, "qualname") or NONE), call.arg(1, "func")
    if func is None or m.see(func) == NONE:
        return later("#fake", op)
    implement(m, call, op, [], func, fake=True, api="torch.library.register_fake", place=_place(m, call, 0, "op"))
    return func


@function("#fake")
def _fake(m: Machine, call: Call) -> Value:
    func = call.args[1] if len(call.args) > 1 else NONE
    implement(m, call, call.args[0], [], func, fake=True, api="torch.library.register_fake")
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
    implement(m, call, op_name(m, first), key_list(m, keys), func, api="torch.library.impl")
    return func


@function("#impl")
def _impl_later(m: Machine, call: Call) -> Value:
    func = call.args[2] if len(call.args) > 2 else NONE
    implement(m, call, call.args[0], key_list(m, call.args[1]), func, api="torch.library.impl")
    return func


@function("torch.library.register_autograd")
def _register_autograd(m: Machine, call: Call) -> Value:
    op, backward = op_name(m, call.arg(0, "op") or NONE), call.arg(1, "backward") or NONE
    setup = m.see(call.kwargs.get("setup_context", NONE))
    m.emit(OpGradients, call.node, op=op, function=m.see(backward), setup=setup)
    return NONE


@function("torch.library.register_vmap", "torch.library.register_autocast", "torch.library.register_torch_dispatch")
def _register_nothing(m: Machine, call: Call) -> Value:
    return NONE


# ---------------------------------------------------------------- Library


@function("torch.library._scoped_library")
def _scoped_library(m: Machine, call: Call) -> Value:
    made = Obj(m.fresh(), "object", LIBRARY)
    m.store.write(made.ident, "ns", m.see(call.arg(0, "ns") or NONE))
    m.store.write(made.ident, "kind", m.see(call.arg(1, "kind") or NONE))
    m.store.write(made.ident, "key", m.see(call.arg(2, "dispatch_key") or Const("")))
    return made


@function("torch.library.Library")
def _library(m: Machine, call: Call) -> Value:
    made = Obj(m.fresh(), "object", LIBRARY)
    namespace, kind = m.see(call.arg(0, "ns") or NONE), m.see(call.arg(1, "kind") or NONE)
    m.store.write(made.ident, "ns", namespace)
    m.store.write(made.ident, "kind", kind)
    ends, for_itself = lasting.ends_with(m, call.node), lasting.under_main_guard(m)
    m.emit(OpLibrary, call.node, namespace=namespace, how=kind, ident=made.ident, ends=ends, for_itself=for_itself)
    m.store.write(made.ident, "key", m.see(call.arg(2, "dispatch_key") or Const("")))
    return made


def library_op(m: Machine, library: Value, name: Value) -> Value:
    """The qualified name of `name` in a library.

    One that is not known lies in the library's own namespace: torch refuses others (run on torch 2.13).
    """
    name = plain_name(m.see(name))
    if isinstance(name, Const) and isinstance(name.value, str) and "::" in name.value:
        return name
    ns = m.read(library.ident, "ns") if isinstance(library, Obj) else None
    unknown = Unknown(f"u{m.fresh()}", "the name of the op is not known")
    known = isinstance(name, Const | Text)
    if ns is None or not (known or isinstance(ns, Const)):
        return unknown
    return plain_name(concat([ns, Const("::"), name if known else unknown]))


def default_key(m: Machine, library: Value, key: Value) -> Value:
    """The dispatch key of a kernel: that of its library where none is given."""
    key = m.see(key)
    if key == Const("") and isinstance(library, Obj):
        key = m.read(library.ident, "key") or key
    return Const("CompositeImplicitAutograd") if key == Const("") else key


@method("torch.library.Library", "define")
def _library_define(m: Machine, call: Call, receiver: Value) -> Value:
    """It gives the name of the op, without namespace and overload (run on torch 2.13)."""
    given = m.see(call.arg(0, "schema") or NONE)
    made: Value | None = None
    for path, schema in leaves(given) if isinstance(given, Choice) else [({}, given)]:
        with m.alternative(path):
            text = schema.value if isinstance(schema, Const) and isinstance(schema.value, str) else None
            head = schema.parts[0] if isinstance(schema, Text) else None
            if text is None and isinstance(head, Const) and "(" in str(head.value):
                text = str(head.value)  # only the end of the schema is unknown
            if text is None or "(" not in text:
                op: Value = Unknown(f"u{m.fresh()}", "the schema is not known")
            else:
                name = text.split("(", 1)[0].strip()
                op = library_op(m, receiver, Const(name))
                made = None if isinstance(given, Choice) else Const(base(name))
            define(
                m,
                call,
                "torch.library.Library.define",
                op,
                schema=schema,
                tags=call.arg(None, "tags"),
                place=_place(m, call, 0, "schema"),
                library=receiver.ident if isinstance(receiver, Obj) else None,
            )
    return made if made is not None else m.unknown(call.node, "the name of an op is not known")


@method("torch.library.Library", "impl")
def _library_impl(m: Machine, call: Call, receiver: Value) -> Value:
    key = default_key(m, receiver, call.arg(2, "dispatch_key") or Const(""))
    implement(
        m,
        call,
        library_op(m, receiver, call.arg(0, "op_name") or NONE),
        [key],
        call.arg(1, "fn"),
        api="torch.library.Library.impl",
        place=_place(m, call, 0, "op_name"),
        library=receiver.ident if isinstance(receiver, Obj) else None,
    )
    return NONE


@method("torch.library.Library", "_register_fake", "register_fake")
def _library_fake(m: Machine, call: Call, receiver: Value) -> Value:
    implement(
        m,
        call,
        library_op(m, receiver, call.arg(0, "op_name") or NONE),
        [],
        call.arg(1, "fn"),
        fake=True,
        api="torch.library.register_fake",
        place=_place(m, call, 0, "op_name"),
        library=receiver.ident if isinstance(receiver, Obj) else None,
    )
    return NONE


@method("torch.library.Library", "_destroy")
def _library_destroy(m: Machine, call: Call, receiver: Value) -> Value:
    if isinstance(receiver, Obj):
        m.emit(OpLibraryEnd, call.node, ident=receiver.ident)
    return NONE


@hooks.let_go.answers
def _let_go(m: Machine, node: nodes.Node, owner: object, name: str) -> None:
    """A library without a name is destroyed: torch ends it when nothing holds it (`weakref.finalize`)."""
    held = m.store.read(owner, name)
    if not isinstance(held, Obj) or held.cls != LIBRARY:
        return
    if all(slot == name or value != held for slot, value in m.store.slots(owner)):
        m.emit(OpLibraryEnd, node, ident=held.ident)


@method("torch.library.Library", "fallback", "_impl_with_aoti_compile", "_register_torch_dispatch_rule")
def _library_other(m: Machine, call: Call, receiver: Value) -> Value:
    return NONE


def _direct(name: str) -> None:
    """A function as vLLM and its kin have it, for a project that imports theirs."""
    namespace = name.split(".", 1)[0]

    @function(name)
    def model(m: Machine, call: Call) -> Value:
        return register_directly(m, call, namespace)


def register_directly(m: Machine, call: Call, namespace: str) -> Value:
    """`direct_register_custom_op(op_name=, op_func=, mutates_args=, fake_impl=, target_lib=)`."""
    name = m.see(call.arg(0, "op_name") or NONE)
    library = m.see(call.kwargs.get("target_lib", NONE))
    op = library_op(m, library, name) if isinstance(library, Obj) else concat([Const(f"{namespace}::"), name])
    func = m.see(call.arg(1, "op_func") or NONE)
    define(
        m,
        call,
        "direct_register_custom_op",
        op,
        mutates=call.arg(2, "mutates_args") or Tup(()),
        func=func,
        inferred=True,
    )
    fake = m.see(call.arg(3, "fake_impl") or NONE)
    if fake != NONE:
        implement(m, call, op, [], fake, fake=True)
    return NONE


for _name in (
    "vllm.utils.direct_register_custom_op",
    "vllm.utils.torch_utils.direct_register_custom_op",
    "sglang.srt.utils.direct_register_custom_op",
    "sglang.srt.utils.common.direct_register_custom_op",
):
    _direct(_name)


@function("torch.library.infer_schema", "torch._library.infer_schema.infer_schema")
def _infer_schema(m: Machine, call: Call) -> Value:
    """The schema of a Python function; `Any` stands for types that are not known."""
    func, mutates = m.see(call.arg(0, "prototype_function") or NONE), call.arg(1, "mutates_args") or Tup(())
    changed = frozen.freeze(m, mutates)
    inferred = infer_of(m, func, changed)
    if inferred is None or (mutated(changed) is None and changed != Const("unknown")):
        return Text((Const("("), Unknown(f"u{m.fresh()}", "a schema that was not followed")))
    m.emit(OpInference, call.node, function=func, inferred=inferred)
    unknown = changed == Const("unknown")
    parts = []
    for one in inferred.arguments:
        mark = "(a!)" if one.mutable or (unknown and one.is_tensor) else ""
        kind = (one.type or "Any").replace("Tensor", f"Tensor{mark}", 1)
        parts += ["*"] if one.keyword_only and "*" not in parts else []
        unknown_default = "'cpu'" if one.type == "Device" else "[]" if one.type.endswith("]") else "None"
        known = unknown_default if one.default == "?" else one.default
        parts.append(f"{kind} {one.name}" + ("" if one.default is None else f"={known}"))
    returned = ["Any"] if inferred.returns is None else [one.type or "Any" for one in inferred.returns]
    name = m.see(call.arg(None, "op_name") or Const(""))
    return concat([name, Const(f"({', '.join(parts)}) -> ({', '.join(returned)})")])

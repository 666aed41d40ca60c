"""Calls: of project functions and classes (followed), of what has a model, and of the unknown."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from aoti_lint.interp import (
    access,
    autocasts,
    begun,
    containers,
    contexts,
    expressions,
    gradients,
    iterators,
    limits,
    results,
    statements,
    told,
    unread,
)
from aoti_lint.interp.events import CompiledCall
from aoti_lint.interp.flow import FALL, Flow, raised, returned
from aoti_lint.interp.machine import MAX_DEPTH, Frame, mangled
from aoti_lint.interp.models import folders, registry
from aoti_lint.interp.models.registry import Call
from aoti_lint.interp.values import (
    Absent,
    Bound,
    Choice,
    Class,
    Compilation,
    Const,
    Func,
    Many,
    Obj,
    Partial,
    Ref,
    Sym,
    Tup,
    Unknown,
    Value,
    ident,
)
from aoti_lint.ir import nodes

if TYPE_CHECKING:
    from aoti_lint.interp.machine import Machine


IN_PLACE = "#compiled"
"""The slot of a module that holds how it was compiled in place."""
NESTED, NESTED_UNKNOWN = 6, 2
"""How often a function may run inside itself: on what is known, as nested settings are, and on anything else."""
HARMLESS = ("register_", "get_", "extra_repr", "forward", "__repr__", "set_extra_state", "log")
"""Methods of modules without a model that leave the module where it is, by how their names start."""


def call(m: Machine, site: Call, func: Value) -> Value:
    """The value of calling `func`, with all that the call does."""
    m.step()
    func = m.see(func)
    match func:
        case Choice(cond, then, other):
            return m.choose_value(cond, lambda: call(m, site, then), lambda: call(m, site, other))
        case Func():
            return invoke(m, site, func, None)
        case Bound(receiver, _, Func() as inner):
            return invoke(m, site, inner, receiver)
        case Bound(receiver, name, _):
            return call_method(m, site, receiver, name)
        case Class():
            return instantiate(m, site, func)
        case Partial(inner, args, kwargs):
            merged = Call(
                site.node, [*args, *site.args], {**dict(kwargs), **site.kwargs}, [], site.open, site.discarded
            )
            return call(m, merged, inner)
        case Ref(name):
            return call_external(m, site, name)
        case Obj():
            return call_object(m, site, func)
        case Unknown() | Sym() | Absent():
            return call_unknown(m, site, func)
        case _:
            return call_method(m, site, func, "__call__")


def call_external(m: Machine, site: Call, name: str) -> Value:
    """Call something outside the project: by its model, else its result is unknown and what it was given may change."""
    if m.watch is not None:
        return m.watch.external(m, site, name, lambda: _call_external(m, site, name))
    return _call_external(m, site, name)


def _call_external(m: Machine, site: Call, name: str) -> Value:
    if name.startswith("torch."):
        begun.begin(m, site.node, name)
    told.tell_start(m, site, name)
    if told.is_told(m, name):
        told.tell(m, site, name)
    results.read_by(m, site, name)
    if m.traced is not None:
        from aoti_lint.interp.models.modes import note_function

        note_function(m, site, name)
    model = registry.FUNCTIONS.get(name)
    if model is not None:
        m.site = site.node
        return model(m, site)
    from aoti_lint.interp.models import ops, quiet

    if name.startswith("torch.ops."):
        return ops.call_torch_op(m, site, name)
    quietly = quiet.is_quiet(name)
    if not quietly:
        give_away(m, site, name)
    else:
        for given in (one for value in site.values if isinstance(one := m.see(value), Class)):
            m.forget(given, f"it was given to {name}")
    folders.note_given(m, site, not quietly)
    from aoti_lint.interp.models.module_making import make_module
    from aoti_lint.interp.models.modules import is_module_class

    cls, _, method = name.rpartition(".")
    if site.args and (cls == "torch.Tensor" or is_module_class(m, Ref(cls))):
        # `torch.nn.Module.to(model, "cuda")`
        rest = Call(site.node, site.args[1:], site.kwargs, site.arg_nodes[1:], site.open, site.discarded)
        return call_method(m, rest, site.args[0], method)
    if is_module_class(m, Ref(name)):
        return make_module(m, site, name)
    return m.unknown(site.node, f"the result of {name}() is not known")


def call_unknown(m: Machine, site: Call, func: Value) -> Value:
    m.differentiable += 1
    give_away(m, site, "unknown code")
    folders.note_given(m, site, True)
    return m.unknown(site.node, f"a call of {access.describe(func)}")


def give_away(m: Machine, site: Call, name: str) -> None:
    """The arguments may be changed by what is called; functions among them may be called."""
    for value in site.values:
        iterators.exhaust(m, value)
        m.forget(value, f"it was given to {name}")
        if isinstance(value, Func) and value.scopes:
            m.handed.append((value, list(m.guards)))


def call_method(m: Machine, site: Call, receiver: Value, name: str) -> Value:
    """`receiver.name(...)` where the method is not a function of the project."""
    receiver = m.see(receiver)
    if isinstance(receiver, Choice):
        then, other = receiver.then, receiver.other
        return m.choose_value(
            receiver.cond, lambda: call_method(m, site, then, name), lambda: call_method(m, site, other, name)
        )
    if m.watch is not None:
        return m.watch.method(m, site, receiver, name, lambda: _call_method(m, site, receiver, name))
    return _call_method(m, site, receiver, name)


def _call_method(m: Machine, site: Call, receiver: Value, name: str) -> Value:
    tag = registry.tag_of(m, receiver)
    if tag == "Tensor" and name not in results.METADATA:
        results.read(m, site.node, receiver, *site.values)
    model = registry.METHODS.get((tag, name))
    if model is None and tag not in ("str", "Tensor"):
        model = registry.METHODS.get(("any", name))
    if model is not None:
        m.site = site.node
        return model(m, site, receiver)
    folders.note_given(m, site, tag not in ("Module", "Tensor"))
    if isinstance(receiver, Unknown | Sym):
        give_away(m, site, "unknown code")
        return m.unknown(site.node, f"a call of .{name}() on {access.describe(receiver)}")
    if isinstance(receiver, Obj) and not (tag == "Module" and name.startswith(HARMLESS)):
        m.forget(receiver, f".{name}() was called on it")
    give_away(m, site, f".{name}()")
    return m.unknown(site.node, f"the result of .{name}() is not known")


def call_object(m: Machine, site: Call, value: Obj) -> Value:
    """Call an instance."""
    if value.compiled is not None:
        plain = replace(value, compiled=None)
        return compiled(m, site, value.compiled, lambda: _call_object(m, site, plain))
    in_place = m.read(value.ident, IN_PLACE)
    if isinstance(in_place, Compilation):
        return compiled(m, site, in_place, lambda: _call_object(m, site, value))
    return _call_object(m, site, value)


def _call_object(m: Machine, site: Call, value: Obj) -> Value:
    tag = registry.tag_of(m, value)
    m.differentiable += tag == "Module"
    model = registry.METHODS.get((tag, "__call__"))
    if isinstance(value.cls, Class):
        found = access.class_member(m, value.cls, "__call__")
        if found is not None and isinstance(found[0], Func):
            return invoke(m, site, found[0], value)
    if model is not None:
        m.site = site.node
        return model(m, site, value)
    give_away(m, site, "unknown code")
    folders.note_given(m, site, True)
    return m.unknown(site.node, "a call of an object that was not followed")


def compiled(m: Machine, site: Call, by: Compilation, run: Callable[[], Value]) -> Value:
    """Call something through `torch.compile`."""
    since, before = m.last, m.differentiable
    m.compiling.append(by)
    try:
        result = run()
    finally:
        m.compiling.pop()
    wanted = gradients.wanted(m, m.differentiable > before)
    event = m.emit(CompiledCall, site.node, compilation=by, result=containers.freeze(m, result), gradients=wanted)
    if event is not None and not m.compiling:
        results.note(m, event, since)
        results.read(m, site.node, *site.values)
    return result


# ---------------------------------------------------------------- functions


def invoke(m: Machine, site: Call, func: Func, receiver: Value | None) -> Value:
    """Run a project function; one that leads to nothing a rule speaks of only if that is quickly done."""
    if func.compiled is not None:
        plain = replace(func, compiled=None)
        return compiled(m, site, func.compiled, lambda: invoke(m, site, plain, receiver))
    if m.compiling and func.ident in m.untraced:
        around, m.compiling = m.compiling, []
        try:
            return invoke(m, site, func, receiver)
        finally:
            m.compiling = around
    with ExitStack() as stack:
        if func.ident in m.undifferentiated:
            stack.enter_context(gradients.off(m))
        if func.ident in m.autocast_functions:
            stack.enter_context(autocasts.on(m, m.autocast_functions[func.ident]))
        return _follow(m, site, func, receiver)


def _follow(m: Machine, site: Call, func: Func, receiver: Value | None) -> Value:
    if not limits.aside(m, func):
        return _invoke(m, site, func, receiver)
    made = limits.sparingly(m, lambda: _invoke(m, site, func, receiver))
    if made is not None:
        return made
    give_away(m, site, func.qualname)
    folders.note_any(m)
    if receiver is not None:
        m.forget(receiver, f"it was given to {func.qualname}")
    return m.unknown(site.node, f"{func.qualname} takes too long to follow")


def _is_followed(m: Machine, site: Call) -> bool:
    """Whether a call has arguments, and all of them are known: a function that calls itself then comes to an end."""
    values = [m.see(value) for value in site.values]
    return bool(values) and not site.open and not any(isinstance(value, Unknown | Choice | Ref) for value in values)


def _invoke(m: Machine, site: Call, func: Func, receiver: Value | None) -> Value:
    running = sum(1 for f in m.frames if f.func is not None and f.func.node is func.node)
    if len(m.frames) >= MAX_DEPTH or running >= (NESTED if _is_followed(m, site) else NESTED_UNKNOWN):
        m.called.add(id(func.node))
        give_away(m, site, func.qualname)
        folders.note_any(m)
        return m.unknown(site.node, f"{func.qualname} is called too deeply to follow")
    if func.role == "context" and not site.open:
        made = func if receiver is None else Bound(receiver, func.name, func)
        return Partial(contexts.GENERATOR, (made, *site.args), tuple(site.kwargs.items()))
    arguments = bind_arguments(m, site, func, receiver)
    if func.role == "cached":
        # The same value by position and by name is cached twice.
        by_name = "".join(f",{k}={ident(v)}" for k, v in site.kwargs.items())
        owner = "" if receiver is None else ident(receiver)
        slot = f"{CACHED}{owner},{','.join(map(ident, site.args))}{by_name}"
        given = m.read(func.ident, slot)
        if given is None:
            given = run(m, site, func, receiver, arguments)[0]
            m.store.write(func.ident, slot, given)
        return given
    if isinstance(func.node, nodes.FunctionDef) and func.node.is_generator:
        return generate(m, site, func, receiver, arguments)
    return run(m, site, func, receiver, arguments)[0]


PATCHES = "#patches"
"""The slot of a function that holds the `unittest.mock.patch` decorators it runs inside of, the outermost first."""
CACHED = "#cached:"
"""What the slots of a cached function begin with, before the arguments."""


def frame_for(m: Machine, func: Func, receiver: Value | None) -> Frame:
    return Frame(m.fresh(), func.module, func.qualname, func.scopes, func, func.owner, receiver, private=func.private)


def run(
    m: Machine, site: Call, func: Func, receiver: Value | None, arguments: dict[str, Value], frame: Frame | None = None
) -> tuple[Value, Frame]:
    """Run the body of `func`; gives what it returns and its frame."""
    m.called.add(id(func.node))
    frame = frame or frame_for(m, func, receiver)
    for name, value in arguments.items():
        m.store.write(frame.ident, mangled(frame, name), value)
    at_site = m.frames and m.span(site.node)
    m.frames.append(frame)
    if at_site:
        m.chain.append(at_site)
    if m.has_dims:
        unread.given(m, func, arguments)
    pending, m.pending = m.pending, []
    try:
        if isinstance(func.node, nodes.Lambda):
            return expressions.evaluate(m, func.node.body), frame
        patches = m.store.read(func.ident, PATCHES)
        flow = _inside(m, site, patches.items if isinstance(patches, Tup) else (), func.node.body)
    finally:
        m.frames.pop()
        if at_site:
            m.chain.pop()
        m.pending = [*pending, *m.pending]
    through = raised(flow)
    if through != FALL:
        m.pending.append(through)
    result = returned(flow)
    return (m.unknown(site.node, f"{func.qualname} never returns") if result is None else result), frame


def _inside(m: Machine, site: Call, patches: tuple[Value, ...], body: list[nodes.Stmt]) -> Flow:
    """Run a body inside the patches that decorate its function."""
    if not patches:
        return statements.exec_block(m, body)
    flows: list[Flow] = []
    contexts.enter(m, site.node, patches[0], lambda _: flows.append(_inside(m, site, patches[1:], body)))
    return flows[0] if flows else FALL


def generate(m: Machine, site: Call, func: Func, receiver: Value | None, arguments: dict[str, Value]) -> Value:
    """A generator: its body is run when the first item is asked for, and what it yields is known, or alike."""

    def make(whole: bool) -> Value:
        if len(m.frames) >= MAX_DEPTH:
            return m.unknown(site.node, f"{func.qualname} is called too deeply to follow")
        if not limits.aside(m, func):
            return _generate(m, site, func, receiver, arguments, whole, made)
        done = limits.sparingly(m, lambda: _generate(m, site, func, receiver, arguments, whole, made))
        return m.unknown(site.node, f"{func.qualname} takes too long to follow") if done is None else done

    made = iterators.new(m, make)
    return made


RETURNED = "#returned"
"""The slot of a generator that holds what its function returned."""


def _generate(
    m: Machine,
    site: Call,
    func: Func,
    receiver: Value | None,
    arguments: dict[str, Value],
    whole: bool,
    made: Obj,
) -> Value:
    frame = frame_for(m, func, receiver)
    frame.entry = m.path
    frame.layer = len(m.store.layers)
    m.store.push()
    try:
        given, _ = run(m, site, func, receiver, arguments, frame)
    finally:
        changes = m.store.pop()
    if whole or not frame.yields:
        m.store.commit(changes)
    else:
        iterators.interleaved(m, changes, frame.at_yield, lambda cell: cell[0] == frame.ident)
    m.store.write(made.ident, RETURNED, given)
    loose = frame.outer.get("#looped")
    if loose and frame.yields and all(expressions.alike(y, frame.yields[0]) for y in frame.yields):
        return Many(frame.yields[0])
    if loose:
        return Unknown(f"u{m.fresh()}", f"what {func.qualname} yields is not all known")
    return Tup(tuple(frame.yields))


def bind_arguments(m: Machine, site: Call, func: Func, receiver: Value | None) -> dict[str, Value]:
    """The parameters of `func` as this call sets them; what an open call may set is unknown."""
    positional = ([receiver] if receiver is not None and func.role != "static" else []) + site.args
    keywords = dict(site.kwargs)
    bound: dict[str, Value] = {}
    for param in func.node.params:
        if param.kind == "var":
            rest, positional = positional, []
            bound[param.name] = (
                m.unknown(site.node, "the arguments are not all known") if site.open else Tup(tuple(rest))
            )
        elif param.kind == "kwvar":
            pairs = [(Const(k), v) for k, v in keywords.items()]
            bound[param.name] = containers.new_dict(m, None if site.open else list(pairs))
        elif param.kind != "kw" and positional:
            bound[param.name] = positional.pop(0)
            if param.kind != "pos":
                keywords.pop(param.name, None)
        elif param.kind != "pos" and param.name in keywords:
            bound[param.name] = keywords.pop(param.name)
        elif site.open:
            bound[param.name] = Unknown(f"u{m.fresh()}", f"the argument {param.name} comes from unknown arguments")
        elif m.read(func.ident, "__defaults__") or m.read(func.ident, "__kwdefaults__"):
            bound[param.name] = Unknown(f"u{m.fresh()}", f"the defaults of {func.qualname} were replaced")
        elif param.name in func.defaults:
            bound[param.name] = func.defaults[param.name]
        else:
            bound[param.name] = Unknown(f"u{m.fresh()}", f"the argument {param.name} is missing")
    return bound


# ---------------------------------------------------------------- classes


def instantiate(m: Machine, site: Call, cls: Class) -> Value:
    """`Cls(...)`."""
    from aoti_lint.interp.models import classes

    made = classes.special(m, site, cls)
    return fresh_instance(m, site, cls) if made is None else made


def fresh_instance(m: Machine, site: Call, cls: Class) -> Value:
    """A new instance of an ordinary class, with its `__init__` run."""
    from aoti_lint.interp.models import classes

    new = Obj(m.fresh(), "instance", cls)
    prepare(m, new)
    init = access.class_member(m, cls, "__init__")
    if init is not None and isinstance(init[0], Func):
        invoke(m, site, init[0], new)
    elif any(isinstance(b, Ref) for b in access.ancestors(m, cls)):
        classes.inherited_init(m, site, new)
    return new


def prepare(m: Machine, new: Obj) -> None:
    """What a `torch.nn.Module` has before its own `__init__` ran."""
    from aoti_lint.interp.models.modules import is_module, start_module

    if is_module(m, new):
        start_module(m, new)


def super_of(m: Machine, frame: Frame) -> Value:
    """The value of `super()` in a method."""
    if frame.owner is None or frame.receiver is None:
        return Unknown(f"u{m.fresh()}", "super() outside a method")
    return Partial(Ref("super"), (frame.owner, frame.receiver), ())


def hidden_bases(m: Machine, cls: Class) -> bool:
    """Whether a class outside the project may make its instances in a way of its own."""
    from aoti_lint.interp.models.modules import HARMLESS, is_module_class

    bases = (b for b in access.ancestors(m, cls) if not isinstance(b, Class))
    return any(b not in HARMLESS and not is_module_class(m, b) for b in bases)


def super_attr(m: Machine, node: nodes.Node, proxy: Partial, name: str) -> Value:
    """`super().name`."""
    owner, receiver = proxy.args
    if name == "__call__" and isinstance(receiver, Class) and owner == m.read(receiver.ident, access.METACLASS):
        return Partial(Ref("type.__call__"), (receiver,), ())
    cls = receiver.cls if isinstance(receiver, Obj) else receiver
    if isinstance(cls, Class) and isinstance(owner, Class):
        found = access.class_member(m, cls, name, after=owner)
        if found is not None:
            if isinstance(receiver, Obj):
                return access.bind(m, node, receiver, name, found[0])
            return Bound(receiver, name, found[0]) if isinstance(found[0], Func) else found[0]
    if isinstance(receiver, Obj) and (registry.tag_of(m, receiver), name) in registry.METHODS:
        return Bound(receiver, name)
    if name == "__init__":
        return Ref("object.__init__")
    if name == "__new__" and isinstance(receiver, Class) and not hidden_bases(m, receiver):
        return Ref("object.__new__")
    if name in ("__getattribute__", "__setattr__", "__delattr__") and registry.tag_of(m, receiver) != "Module":
        return Partial(Ref(f"object.{name}"), (receiver,), ())
    return Unknown(f"super:{ident(receiver)}.{name}", "a method of a class outside the project")

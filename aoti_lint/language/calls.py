"""Calls of anything: project code is followed, a model is asked, and what is unknown may change what it is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from aoti_lint.language import access, functions, kinds
from aoti_lint.language.classes import instances, modules
from aoti_lint.language.data import frozen, iterators
from aoti_lint.language.effects import (
    api_calls,
    backward,
    compiled_hooks,
    compiled_results,
    exported_parts,
    exported_state,
    gradients,
    made_folders,
    marks,
    quiet,
    torch_imports,
)
from aoti_lint.language.flow import unfit
from aoti_lint.machine import hooks, tables
from aoti_lint.machine.machine import Machine
from aoti_lint.torch_api.refused import untraced, untranslated
from aoti_lint.values.call import Call, in_words_of_torch
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.compiled import CompiledCall, PlainCall
from aoti_lint.values.torch_values import Tensor
from aoti_lint.values.values import (
    NONE,
    TRUE,
    Absent,
    Bound,
    Choice,
    Class,
    Compilation,
    Func,
    Obj,
    Partial,
    Ref,
    Sym,
    Unknown,
    Value,
)

IN_PLACE = "#compiled"
"""The slot of a module that holds how it was compiled in place."""
THROWN_AWAY = "#compiled in vain"
"""The slot of a module that holds how it was compiled, where nobody keeps what that gave."""
STANCE = ("torch", "stance")
"""The cell that holds what compiled functions do where they would have to compile (`torch.compiler.set_stance`)."""
HOOKED = "#hooked"
"""The slot of a module that says whether a full backward hook stays registered on it."""
_TOLD = {**untranslated.TOLD, **untraced.TOLD}
"""What calls of methods that rules look at are told as."""
RECURRENT = frozenset({"RNN", "LSTM", "GRU"})
"""Layers that `torch.compile` leaves out where nothing allows them."""
HARMLESS = ("register_", "get_", "extra_repr", "forward", "__repr__", "set_extra_state", "log")
"""Methods of modules without a model that leave the module where it is, by how their names start."""


def call(m: Machine, site: Call, func: Value) -> Value:
    """The value of calling `func`, with all that the call does."""
    m.step()
    func = m.see(func)
    if m.root.trace is not None and not m.root.trace.places:
        hooks.called_in_forward(m, site, func)
    match func:
        case Choice(cond, then, other):
            return m.choose_value(cond, lambda: call(m, site, then), lambda: call(m, site, other))
        case Func():
            return functions.invoke(m, site, func, None)
        case Bound(receiver, _, Func() as inner):
            return functions.invoke(m, site, inner, receiver)
        case Bound(receiver, name, _):
            return call_method(m, site, receiver, name)
        case Class():
            return instances.instantiate(m, site, func)
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
            unfit.called(m, site.node, func)
            return call_method(m, site, func, "__call__")


def call_external(m: Machine, site: Call, name: str) -> Value:
    """Call something outside the project: by its model, else its result is unknown and what it was given may change."""
    if name.startswith("torch.") and name in tables.FUNCTIONS:
        site = in_words_of_torch(site)
    if m.root.watch is not None:
        return m.root.watch.external(m, site, name, lambda: _call_external(m, site, name))
    made = _call_external(m, site, name)
    if name in backward.PASSES and site.args:
        backward.begun(m, site.node, site.args[0])
    return backward.carry(m, name, site.values, made) if name.startswith("torch.") else made


def _call_external(m: Machine, site: Call, name: str) -> Value:
    if name.startswith("torch."):
        torch_imports.begin(m, site.node, name)
    api_calls.tell_start(m, site, name)
    if api_calls.is_told(m, name):
        api_calls.tell(m, site, name)
    compiled_results.read_by(m, site, name)
    if m.root.trace is not None:
        unfit.function(m, site, name)
        if name.startswith("torch."):
            hooks.given_in_forward(m, site, name, False)
        hooks.function_in_forward(m, site, name)
    model = tables.FUNCTIONS.get(name)
    if model is not None:
        m.root.site = site.node
        return model(m, site)

    if name.startswith("torch.ops."):
        return hooks.call_op(m, site, name)
    quietly = quiet.is_quiet(name)
    if not quietly:
        give_away(m, site, name)
    else:
        for given in (one for value in site.values if isinstance(one := m.see(value), Class)):
            m.forget(given, f"it was given to {name}")
    made_folders.note_given(m, site, not quietly)
    cls, _, method = name.rpartition(".")
    if site.args and (cls == "torch.Tensor" or modules.is_module_class(m, Ref(cls))):
        # `torch.nn.Module.to(model, "cuda")`
        rest = Call(site.node, site.args[1:], site.kwargs, site.arg_nodes[1:], site.open, site.discarded)
        return call_method(m, rest, site.args[0], method)
    if modules.is_module_class(m, Ref(name)):
        return hooks.make_module(m, site, name)
    return m.unknown(site.node, f"the result of {name}() is not known")


def call_unknown(m: Machine, site: Call, func: Value) -> Value:
    m.world.differentiable += 1
    if m.root.watch is not None:
        m.root.watch.unfollowed()
    give_away(m, site, "unknown code")
    made_folders.note_given(m, site, True)
    return m.unknown(site.node, f"a call of {access.describe(func)}")


def give_away(m: Machine, site: Call, name: str) -> None:
    """The arguments may be changed by what is called; functions among them may be called."""
    for value in site.values:
        iterators.exhaust(m, value)
        m.forget(value, f"it was given to {name}")
        if isinstance(value, Func) and value.scopes:
            m.root.handed.append((value, list(m.root.guards)))
    exported_state.given_away(m, site.node)


def call_method(m: Machine, site: Call, receiver: Value, name: str) -> Value:
    """`receiver.name(...)` where the method is not a function of the project."""
    receiver = m.see(receiver)
    if isinstance(receiver, Choice):
        then, other = receiver.then, receiver.other
        return m.choose_value(
            receiver.cond, lambda: call_method(m, site, then, name), lambda: call_method(m, site, other, name)
        )
    if isinstance(receiver, Tensor) and (patched := m.read("external", f"torch.Tensor.{name}")) is not None:
        return call(m, replace(site, args=[receiver, *site.args]), patched)
    if isinstance(receiver, Tensor):
        site = in_words_of_torch(site)
    if m.root.watch is not None:
        return m.root.watch.method(m, site, receiver, name, lambda: _call_method(m, site, receiver, name))
    made = _call_method(m, site, receiver, name)
    if not isinstance(receiver, Tensor | Unknown):
        return made
    if name in backward.PASSES:
        backward.begun(m, site.node, receiver)
    return backward.carry(m, name, [receiver, *site.values], made)


def _call_method(m: Machine, site: Call, receiver: Value, name: str) -> Value:
    tag = kinds.tag_of(m, receiver)
    if tag == "Tensor" and name not in compiled_results.METADATA:
        compiled_results.read(m, site.node, receiver, *site.values)
    if (told := _TOLD.get((tag, name))) is not None:
        api_calls.tell_method(m, site, receiver, told)
    if m.root.trace is not None:
        unfit.method(m, site, receiver, name)
        if tag == "Tensor":
            hooks.given_in_forward(m, replace(site, args=[receiver, *site.args]), name, True)
    if tag == "Tensor" and exported_state.writes(name):
        exported_state.changed(m, site.node, receiver)
    model = tables.METHODS.get((tag, name))
    if model is None and tag not in ("str", "Tensor"):
        model = tables.METHODS.get(("any", name))
    if model is not None:
        m.root.site = site.node
        made = model(m, site, receiver)
        if tag == "Tensor" and name in marks.LOSING:
            marks.lose(m, receiver, m.see(made))
        return made
    exported_parts.tell(m, site.node, receiver, name, "called")
    made_folders.note_given(m, site, tag not in ("Module", "Tensor"))
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
        return compiled(m, site, value.compiled, plain, lambda one: _call_object(m, one, plain))
    lost = m.read(value.ident, THROWN_AWAY)
    if lost is not None and not m.root.compiling and m.root.trace is None:
        for answers, one in leaves(lost, m.root.path):
            if isinstance(one, Compilation):
                with m.assuming(answers):
                    m.emit(PlainCall, site.node, compilation=one)
    in_place = m.read(value.ident, IN_PLACE)
    if isinstance(in_place, Compilation):
        return compiled(m, site, in_place, value, lambda one: _call_object(m, one, value))
    return _call_object(m, site, value)


def _call_object(m: Machine, site: Call, value: Obj) -> Value:
    tag = kinds.tag_of(m, value)
    if m.root.compiling and m.read(value.ident, HOOKED) == TRUE:
        api_calls.tell(m, site, api_calls.HOOKED)
    if m.root.compiling and tag == "Module" and _is_recurrent(m, value):
        api_calls.tell(m, site, api_calls.RECURRENT)
    m.world.differentiable += tag == "Module"
    if tag == "Module" and m.root.trace is not None:
        unfit.layer(m, site, value.cls)
    model = tables.METHODS.get((tag, "__call__"))
    if isinstance(value.cls, Class):
        found = access.class_member(m, value.cls, "__call__")
        if found is not None and isinstance(found[0], Func):
            return functions.invoke(m, site, found[0], value)
    if model is not None:
        m.root.site = site.node
        return model(m, site, value)
    give_away(m, site, "unknown code")
    made_folders.note_given(m, site, True)
    return m.unknown(site.node, "a call of an object that was not followed")


def _is_recurrent(m: Machine, layer: Obj) -> bool:
    built_in = modules.built_in(m, layer.cls)
    space, _, name = ("" if built_in is None else built_in.name).rpartition(".")
    return space.startswith("torch.nn") and name in RECURRENT


def compiled(m: Machine, site: Call, by: Compilation, model: Value, run: Callable[[Call], Value]) -> Value:
    """Call something through `torch.compile`: the module, function or method `model`, which `run` calls as it is."""
    given = tuple(frozen.freeze(m, value) for value in site.values)
    told = hooks.read_compiled(m, site, given, by, model, run)
    since, before = m.last, m.world.differentiable
    m.root.compiling.append(by)
    try:
        result = run(site)
    finally:
        m.root.compiling.pop()
    if isinstance(model, Obj):
        compiled_hooks.around(m, model, by, in_place=m.read(model.ident, IN_PLACE) == by)
    wanted = gradients.wanted(m, m.world.differentiable > before)
    frozen_result = frozen.freeze(m, result)
    marks.tell(m, site.node, by, given)
    stance = m.read(*STANCE) or NONE
    event = m.emit(
        CompiledCall,
        site.node,
        compilation=by,
        result=frozen_result,
        gradients=wanted,
        given=given,
        stance=stance,
        **told,
    )
    if event is not None and not m.root.compiling:
        compiled_results.note(m, event, since)
        compiled_results.read(m, site.node, *site.values)
    return result

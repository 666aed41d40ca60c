"""`torch.compile`: a function or module that does the same, and is known to be compiled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language import calls
from aoti_lint.language.data import frozen
from aoti_lint.language.effects import api_calls, compiled_results, settings, torch_imports
from aoti_lint.language.tools import opaque
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.changes import named
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.values.call import Call
from aoti_lint.values.values import FALSE, NONE, TRUE, Bound, Compilation, Const, Func, Obj, Partial, Ref, Value

COMPILE = "torch.compile"
WRAPPED = "_orig_mod"
"""The attribute of a module that `torch.compile` gave that holds the one it was given."""
LOGGER = "logging.Logger"


@function(COMPILE)
def _compile(m: Machine, call: Call) -> Value:
    """The model, compiled; without one, the decorator that compiles with these keywords."""
    model = call.arg(0, "model")
    keywords = {key: value for key, value in call.kwargs.items() if key != "model"}
    if model is None or m.see(model) == NONE:
        return Partial(Ref(COMPILE), (), tuple(keywords.items())) if keywords else Ref(COMPILE)
    _tell_options(m, call)
    made = compilation(m, call, keywords)

    def apply(value: Value) -> Value:
        if call.discarded and isinstance(value, Obj):
            m.store.write(value.ident, calls.THROWN_AWAY, made)
        match value:
            case Obj() | Func():
                return replace(value, compiled=made)
            case Bound(func=Func() as func):
                return replace(value, func=replace(func, compiled=made))
            case _:
                return value

    return lift(m, model, apply)


def _tell_options(m: Machine, call: Call) -> None:
    """The options of Inductor: those for another backend are its own."""
    if m.see(call.kwargs.get("backend", NONE)) in (NONE, Const("inductor")):
        settings.tell_options(m, call, COMPILE, "options")


def compilation(m: Machine, call: Call, keywords: dict[str, Value]) -> Compilation:
    options = tuple((key, frozen.freeze(m, value)) for key, value in keywords.items())
    return Compilation(m.fresh(), m.span(call.node), options)


def is_compiled(value: Value) -> bool:
    """Whether it is a module as `torch.compile` gives it: its forward takes whatever it is given."""
    return isinstance(value, Obj) and asks_to_compile(value) is True


def asks_to_compile(value: Obj) -> bool | None:
    """Whether `torch.compile` gives something else than it was given, as nobody disables it; None if that is open."""
    asked = FALSE if value.compiled is None else value.compiled.option("disable")
    return value.compiled is not None if asked in (NONE, FALSE) else False if asked == TRUE else None


def plain(m: Machine, value: Value) -> Value:
    """A model as it is without `torch.compile`, which an export sees through."""

    def apply(one: Value) -> Value:
        match one:
            case Obj(compiled=Compilation()) | Func(compiled=Compilation()):
                return replace(one, compiled=None)
            case Bound(func=Func(compiled=Compilation()) as func):
                return replace(one, func=replace(func, compiled=None))
            case _:
                return one

    return lift(m, value, apply)


@method("Module", "compile")
def _compile_in_place(m: Machine, call: Call, receiver: Value) -> Value:
    """`module.compile(...)` takes what `torch.compile` does, and changes what calling the module does."""
    torch_imports.begin(m, call.node, COMPILE)
    _tell_options(m, call)
    if isinstance(receiver, Obj):
        m.store.write(receiver.ident, calls.IN_PLACE, compilation(m, call, call.kwargs))
    if not call.discarded:
        api_calls.tell(m, Call(call.node, []), api_calls.IN_PLACE)
    return NONE


SCRIPTED = ("torch", "traced by TorchScript")
"""Holds `TRUE` while that is done."""


@attribute("Module", WRAPPED)
def _wrapped(m: Machine, node: nodes.Node, value: Value) -> Value:
    if isinstance(value, Obj) and value.compiled is not None:
        return replace(value, compiled=None)
    return m.unknown(node, f"{WRAPPED} of a module that is not compiled")


@function("torch.compiler.is_compiling", "torch._utils.is_compiling")
def _is_compiling(m: Machine, call: Call) -> Value:
    """True also while a model is exported, unless TorchScript traces it for that."""
    if m.read(*SCRIPTED) == TRUE:
        return FALSE
    traced = m.root.compiling or m.root.trace is not None
    return TRUE if traced else m.unknown(call.node, "whether this is compiled or traced")


@function(
    "torch.compiler.is_dynamo_compiling", "torch._dynamo.is_compiling", "torch._dynamo.external_utils.is_compiling"
)
def _is_dynamo_compiling(m: Machine, call: Call) -> Value:
    return TRUE if m.root.compiling else m.unknown(call.node, "whether this is compiled")


@function("torch.compiler.cudagraph_mark_step_begin")
def _begin_step(m: Machine, call: Call) -> Value:
    compiled_results.begin_step(m)
    return NONE


@function(
    *(f"torch.{owner}.{name}" for owner in ("compiler", "_dynamo", "_dynamo.decorators")
      for name in ("allow_in_graph", "assume_constant_result", "nonstrict_trace"))
)  # fmt: skip
def _as_it_is(m: Machine, call: Call) -> Value:
    """A function whose call becomes part of the graph: what it does inside is not traced."""
    return _untraced(m, call.arg(0, "fn") or call.arg(None, "traceable_fn"), _uncompiled)


@function("torch.compiler.disable", "torch._dynamo.disable", "torch._dynamo.decorators.disable")
def _disable(m: Machine, call: Call) -> Value:
    """A function that is never traced, and that no graph goes through; the decorator where none is given yet."""
    given = m.see(call.arg(0, "fn") or NONE)
    if given == NONE:
        return Ref("torch.compiler.disable")
    return _untraced(m, _another(m, given), _disabled) if isinstance(given, Func) else given


def _another(m: Machine, func: Func) -> Func:
    """A function that does what `func` does, which stays as it is: the original may be called as well."""
    made = replace(func, ident=m.fresh())
    for name, value in list(m.store.slots(func.ident)):
        m.store.write(made.ident, name, value)
    for around, given in m.around(func):
        m.run_inside(made, around, *given)
    return made


def _untraced(m: Machine, given: Value | None, around: Callable[[Machine], AbstractContextManager[None]]) -> Value:
    func = m.see(given or NONE)
    if isinstance(func, Func):
        m.run_inside(func, around)
    return func


@function("logging.getLogger")
def _logger(m: Machine, call: Call) -> Value:
    return opaque(m, LOGGER)


def _log(name: str) -> None:
    @method(LOGGER, name)
    def log(m: Machine, call: Call, receiver: Value) -> Value:
        if m.root.compiling:
            api_calls.tell(m, call, f"{LOGGER}.{name}")
        return NONE


for _name in ("debug", "info", "warning", "error", "critical", "exception", "log", "warn"):
    _log(_name)


@named
@contextmanager
def _uncompiled(m: Machine) -> Iterator[None]:
    with m.root.uncompiled():
        yield


@named
@contextmanager
def _disabled(m: Machine) -> Iterator[None]:
    """Told where it is called in what is compiled, or exported."""
    if (m.root.compiling or m.root.exporting is not None) and m.root.site is not None:
        api_calls.tell(m, Call(m.root.site, []), api_calls.DISABLED)
    with m.root.uncompiled():
        yield

"""Calls of the functions of the project: their bodies are run with what they are given."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from aoti_lint.ir import nodes
from aoti_lint.language import calls, expressions, limits, statements
from aoti_lint.language.data import containers, iterators
from aoti_lint.language.effects import leftovers, made_folders, unread_dims
from aoti_lint.language.flow import comprehensions, with_statements
from aoti_lint.machine.machine import MAX_DEPTH, Machine
from aoti_lint.values.call import Call
from aoti_lint.values.flow import FALL, Flow, raised, returned
from aoti_lint.values.frames import Frame, mangled
from aoti_lint.values.identity import ident
from aoti_lint.values.values import NONE, Bound, Choice, Const, Func, Many, Obj, Partial, Ref, Tup, Unknown, Value

NESTED, NESTED_UNKNOWN = 6, 2
"""How often a function may run inside itself: on what is known, as nested settings are, and on anything else."""

ABSTRACT = frozenset({"abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"})
"""The last names of the decorators of methods that others have to define."""


def invoke(m: Machine, site: Call, func: Func, receiver: Value | None) -> Value:
    """Run a project function; one that leads to nothing a rule speaks of only if that is quickly done."""
    if func.compiled is not None:
        plain = replace(func, compiled=None)
        model = plain if receiver is None else Bound(receiver, func.name, plain)
        return calls.compiled(m, site, func.compiled, model, lambda one: invoke(m, one, plain, receiver))
    with ExitStack() as stack:
        for around, given in m.around(func):
            m.root.site = site.node
            stack.enter_context(around(m, *given))
        return _follow(m, site, func, receiver)


def _follow(m: Machine, site: Call, func: Func, receiver: Value | None) -> Value:
    if not limits.aside(m, func):
        return _invoke(m, site, func, receiver)
    made = limits.sparingly(m, site, func, lambda: _invoke(m, site, func, receiver))
    if made is not None:
        return made
    calls.give_away(m, site, func.qualname)
    made_folders.note_any(m)
    if receiver is not None:
        m.forget(receiver, f"it was given to {func.qualname}")
    for value in (receiver, *site.values):
        limits.lose_bound(m, func, value)
    return m.unknown(site.node, f"{func.qualname} takes too long to follow")


def _is_followed(m: Machine, site: Call) -> bool:
    """Whether a call has arguments, and all of them are known: a function that calls itself then comes to an end."""
    values = [m.see(value) for value in site.values]
    return bool(values) and not site.open and not any(isinstance(value, Unknown | Choice | Ref) for value in values)


def _invoke(m: Machine, site: Call, func: Func, receiver: Value | None) -> Value:
    running = sum(1 for f in m.root.frames if f.func is not None and f.func.node is func.node)
    if len(m.root.frames) >= MAX_DEPTH or running >= (NESTED if _is_followed(m, site) else NESTED_UNKNOWN):
        m.ran(func.place, told=False)
        calls.give_away(m, site, func.qualname)
        made_folders.note_any(m)
        return m.unknown(site.node, f"{func.qualname} is called too deeply to follow")
    if func.role == "context" and not site.open:
        made = func if receiver is None else Bound(receiver, func.name, func)
        return Partial(with_statements.GENERATOR, (made, *site.args), tuple(site.kwargs.items()))
    arguments = bind_arguments(m, site, func, receiver)
    if func.role == "cached":
        # The same value by position and by name is cached twice.
        by_name = "".join(f",{k}={ident(v)}" for k, v in site.kwargs.items())
        owner = "" if receiver is None else ident(receiver)
        if (watch := m.root.watch) is not None:
            for key in site.values:
                watch.looked_up(m, site.node, func, m.see(key))
        slot = f"{CACHED}{owner},{','.join(map(ident, site.args))}{by_name}"
        given = m.read(func.ident, slot)
        if given is None:
            given = run(m, site, func, receiver, arguments)[0]
            m.store.write(func.ident, slot, given)
        else:
            leftovers.met(m, site.node, m.see(given))
        return given
    if isinstance(func.node, nodes.FunctionDef) and func.node.is_generator:
        return generate(m, site, func, receiver, arguments)
    given = run(m, site, func, receiver, arguments)[0]
    return m.unknown(site.node, f"{func.qualname} is abstract") if given == NONE and _is_abstract(func) else given


def _is_abstract(func: Func) -> bool:
    """Whether a method is there for other classes to define, which nobody may have read."""
    if func.owner is None or not isinstance(func.node, nodes.FunctionDef):
        return False
    names = {one.name if isinstance(one, nodes.Attr) else getattr(one, "id", "") for one in func.node.decorators}
    return not names.isdisjoint(ABSTRACT) or all(
        isinstance(one, nodes.ExprStmt) and isinstance(one.value, nodes.Const) for one in func.node.body
    )


def _is_all(m: Machine, func: Func) -> bool:
    """Whether what a function does here is all there is to tell of it.

    Not where a function of another file calls it: whether that is run before is decided by the names of the files, and
    whether it is checked at all by the user. The same goes for what is only tried.
    """
    path = func.module.path
    return m.root.name == path or m.root.name.startswith(f"{path}::") or ("::" not in m.root.name and not m.root.guards)


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
    m.ran(func.place, told=not m.root.muted and _is_all(m, func))
    frame = frame or frame_for(m, func, receiver)
    for name, value in arguments.items():
        m.store.write(frame.ident, mangled(frame, name), value)
    at_site = m.root.frames and m.span(site.node)
    m.root.frames.append(frame)
    if at_site:
        m.root.chain.append(at_site)
    if m.world.has_dims:
        unread_dims.given(m, func, arguments)
    pending, m.root.pending = m.root.pending, []
    try:
        if isinstance(func.node, nodes.Lambda):
            return expressions.evaluate(m, func.node.body), frame
        patches = m.store.read(func.ident, PATCHES)
        flow = _inside(m, site, patches.items if isinstance(patches, Tup) else (), func.node.body)
    finally:
        m.root.frames.pop()
        if at_site:
            m.root.chain.pop()
        m.root.pending = [*pending, *m.root.pending]
    through = raised(flow)
    if through != FALL:
        m.root.pending.append(through)
    result = returned(flow)
    return (m.unknown(site.node, f"{func.qualname} never returns") if result is None else result), frame


def _inside(m: Machine, site: Call, patches: tuple[Value, ...], body: list[nodes.Stmt]) -> Flow:
    """Run a body inside the patches that decorate its function."""
    if not patches:
        return statements.exec_block(m, body)
    flows: list[Flow] = []
    with_statements.enter(m, site.node, patches[0], lambda _: flows.append(_inside(m, site, patches[1:], body)))
    return flows[0] if flows else FALL


def generate(m: Machine, site: Call, func: Func, receiver: Value | None, arguments: dict[str, Value]) -> Value:
    """A generator: its body is run when the first item is asked for, and what it yields is known, or alike."""

    def make(whole: bool) -> Value:
        if len(m.root.frames) >= MAX_DEPTH:
            return m.unknown(site.node, f"{func.qualname} is called too deeply to follow")
        if not limits.aside(m, func):
            return _generate(m, site, func, receiver, arguments, whole, made)
        done = limits.sparingly(m, site, func, lambda: _generate(m, site, func, receiver, arguments, whole, made))
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
    frame.entry = m.root.path
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
    if loose and frame.yields and all(comprehensions.alike(y, frame.yields[0]) for y in frame.yields):
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

"""`click`: functions made into commands by decorators, and groups of commands."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import calls
from aoti_lint.language.data import containers
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, function, method
from aoti_lint.models.process.options import FLAG_VALUES, Option, pick_command, script_of, symbol, truth_of
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.values import (
    FALSE,
    NONE,
    Bound,
    Class,
    Const,
    Func,
    Obj,
    Pairs,
    Partial,
    Ref,
    Tup,
    Unknown,
    Value,
)

COMMAND = "click.Command"

# ---------------------------------------------------------------- click: options


def _deferred(name: str, site: Call) -> Value:
    """A decorator with arguments: `name` is called with them in front of what it decorates."""
    kwargs = tuple(site.kwargs.items())
    return Partial(Ref(name), (Tup(tuple(site.args)),), kwargs)


@function("click.option", "rich_click.option")
def _option(m: Machine, site: Call) -> Value:
    return _deferred("click.option()", site)


@function("click.argument", "rich_click.argument")
def _argument(m: Machine, site: Call) -> Value:
    return _deferred("click.argument()", site)


@function("click.option()")
def _add_option(m: Machine, site: Call) -> Value:
    return _declare(m, site, click_option(m, _original(site)))


@function("click.argument()")
def _add_argument(m: Machine, site: Call) -> Value:
    given = _original(site)
    given.kwargs.setdefault("required", Const("default" not in given.kwargs))
    return _declare(m, site, click_option(m, given))


def _original(site: Call) -> Call:
    """The arguments the decorator was written with."""
    names = site.args[0]
    return Call(site.node, list(names.items) if isinstance(names, Tup) else [], dict(site.kwargs), [], site.open)


def _declare(m: Machine, site: Call, option: Option | None) -> Value:
    """What is decorated, with one more option."""
    decorated = site.args[1] if len(site.args) > 1 else NONE
    if not (isinstance(decorated, Obj) and decorated.cls == Ref(COMMAND)):
        decorated = _command_of(m, decorated)
    held = slot(m, decorated, "#options", Tup(()))
    before = held.items if isinstance(held, Tup) else ()
    made = Unknown(f"u{m.fresh()}", "an option") if option is None else option
    m.store.write(decorated.ident, "#options", Tup((*before, made)))
    return decorated


def _command_of(m: Machine, function_: Value) -> Obj:
    made = opaque(m, COMMAND)
    m.store.write(made.ident, "#function", function_)
    return made


def click_option(m: Machine, site: Call) -> Option | None:
    """What `click.option(...)` or `click.argument(...)` declares."""
    words = [v.value for v in (m.see(a) for a in site.args) if isinstance(v, Const) and isinstance(v.value, str)]
    if len(words) != len(site.args):
        return None
    named = [w for w in words if not w.startswith("-")]
    flags = [w for w in words if w.startswith("-")]
    pairs = [f for f in flags if "/" in f]
    longest = max((f.split("/")[0].strip() for f in flags), key=len, default="")
    dest = named[0] if named else longest.lstrip("-").replace("-", "_").lower()
    label = f"option {longest}" if flags else f"argument {dest}"
    default = site.kwargs.get("default")
    required = truth_of(m, site.kwargs.get("required"))
    missing: Value | None = default if default is not None else None if required else NONE
    if pairs or truth_of(m, site.kwargs.get("is_flag")) or "flag_value" in site.kwargs:
        if "flag_value" in site.kwargs:
            return Option(dest, label, missing)
        return Option(dest, label, FALSE if default is None else default, FLAG_VALUES)
    kind = m.see(site.kwargs["type"]) if "type" in site.kwargs else None
    several = truth_of(m, site.kwargs.get("multiple")) is not False or m.see(
        site.kwargs.get("nargs", Const(1))
    ) != Const(1)
    return _of_type(m, Option(dest, label, missing, (), None, several), kind)


def _of_type(m: Machine, option: Option, kind: Value | None) -> Option:
    """The option with what its `type` says: choices, a conversion."""
    known: tuple[Value, ...] = ()
    if isinstance(kind, Obj) and kind.cls == Ref("click.Choice"):
        items = containers.items_of(m, slot(m, kind, "#choices")) or []
        known = tuple(m.see(i) for i in items)
        if option.default is not None:
            known += tuple(v for _, v in leaves(option.default) if v not in known)
        known = known if all(isinstance(k, Const) for k in known) else ()
        kind = None
    elif isinstance(kind, Obj) and kind.cls == Ref("click.Path"):
        kind = m.read(kind.ident, "#path_type")
    elif not isinstance(kind, Ref | Func | Class | Partial) or (
        isinstance(kind, Ref) and kind.name.startswith("click")
    ):
        kind = None
    return Option(option.dest, option.label, option.default, known, kind, option.several)


@function("click.Choice")
def _choice(m: Machine, site: Call) -> Value:
    made = opaque(m, "click.Choice")
    m.store.write(made.ident, "#choices", site.arg(0, "choices") or NONE)
    return made


@function("click.Path")
def _click_path(m: Machine, site: Call) -> Value:
    made = opaque(m, "click.Path")
    if "path_type" in site.kwargs:
        m.store.write(made.ident, "#path_type", m.see(site.kwargs["path_type"]))
    return made


@function("click.version_option", "click.help_option", "click.confirmation_option", "click.password_option")
def _other_option(m: Machine, site: Call) -> Value:
    return Ref("click.identity()")


@function("click.identity()")
def _identity(m: Machine, site: Call) -> Value:
    return site.arg(0) or NONE


@function("click.pass_context", "click.pass_obj")
def _pass_context(m: Machine, site: Call) -> Value:
    """The function is given one more argument in front."""
    decorated = site.arg(0) or NONE
    if not (isinstance(decorated, Obj) and decorated.cls == Ref(COMMAND)):
        decorated = _command_of(m, decorated)
    m.store.write(decorated.ident, "#context", Const(True))
    return decorated


# ---------------------------------------------------------------- click: commands


@function("click.command", "click.group", "rich_click.command", "rich_click.group")
def _command(m: Machine, site: Call) -> Value:
    given = m.see(site.arg(0) or NONE)
    if isinstance(given, Func | Bound) or (isinstance(given, Obj) and given.cls == Ref(COMMAND)):
        return _finish(m, given, NONE)
    return Partial(Ref("click.command()"), (site.arg(0, "name") or NONE,), ())


@function("click.command()")
def _make_command(m: Machine, site: Call) -> Value:
    return _finish(m, site.args[1] if len(site.args) > 1 else NONE, site.args[0])


def _finish(m: Machine, decorated: Value, name: Value) -> Obj:
    made = decorated if isinstance(decorated, Obj) and decorated.cls == Ref(COMMAND) else _command_of(m, decorated)
    m.store.write(made.ident, "#name", name)
    return made


@method(COMMAND, "command", "group")
def _sub_command(m: Machine, site: Call, receiver: Value) -> Value:
    return Partial(Ref("click.sub_command()"), (receiver, site.arg(0, "name") or NONE), ())


@function("click.sub_command()")
def _make_sub_command(m: Machine, site: Call) -> Value:
    owner, name = site.args[0], site.args[1]
    made = _finish(m, site.args[2] if len(site.args) > 2 else NONE, name)
    _register(m, owner, made)
    return made


@method(COMMAND, "add_command")
def _add_command(m: Machine, site: Call, receiver: Value) -> Value:
    added = m.see(site.arg(0, "cmd") or NONE)
    if isinstance(added, Obj) and (name := site.arg(1, "name")) is not None:
        m.store.write(added.ident, "#name", name)
    _register(m, receiver, added)
    return NONE


def _register(m: Machine, owner: Value, command: Value) -> None:
    if isinstance(owner, Obj):
        held = slot(m, owner, "#items", Pairs(()))
        pairs = held.pairs if isinstance(held, Pairs) else ()
        m.store.write(owner.ident, "#items", Pairs((*pairs, (Const(_name_of(m, command)), command))))


def _function_of(m: Machine, command: Value) -> Func | None:
    inner = slot(m, command, "#function") if isinstance(command, Obj) else command
    if isinstance(inner, Bound) and inner.func is not None:
        return inner.func
    return inner if isinstance(inner, Func) else None


def _name_of(m: Machine, command: Value) -> str:
    given = slot(m, command, "#name") if isinstance(command, Obj) else NONE
    if isinstance(given, Const) and isinstance(given.value, str):
        return given.value
    func = _function_of(m, command)
    return func.name.replace("_", "-") if func is not None else "?"


@method(COMMAND, "__call__", "main")
def _run_command(m: Machine, site: Call, receiver: Value) -> Value:
    return run_command(m, site, receiver)


def run_command(m: Machine, site: Call, command: Value) -> Value:
    """Run a command as the command line would: every option a symbol."""
    command = m.see(command)
    func = _function_of(m, command)
    if not isinstance(command, Obj) or func is None:
        return m.unknown(site.node, "a command that was not followed")
    group = f"{func.module.path}:{func.qualname}"
    kwargs: dict[str, Value] = {}
    held = slot(m, command, "#options", Tup(()))
    for option in held.items if isinstance(held, Tup) else ():
        if isinstance(option, Option):
            kwargs[option.dest] = symbol(m, site.node, option, group)
    incomplete = not isinstance(held, Tup) or any(not isinstance(o, Option) for o in held.items)
    context: list[Value] = []
    if slot(m, command, "#context") != NONE:
        context.append(Unknown(f"{script_of(m)}::{group}::context", "the context of a command"))
    result = calls.call(m, Call(site.node, context, kwargs, [], incomplete), slot(m, command, "#function"))
    return _run_one_of(m, site, command, group, result)


def _run_one_of(m: Machine, site: Call, group: Obj, name: str, result: Value) -> Value:
    """Run the command of a group that the user names."""
    held = slot(m, group, "#items", Pairs(()))
    arms = [(str(k.value), v) for k, v in held.pairs if isinstance(k, Const)] if isinstance(held, Pairs) else []
    if not arms:
        return result
    key = f"{script_of(m)}::{name}::<command>"
    wrapped = [(n, Partial(Ref("click.run()"), (c,), ())) for n, c in arms]
    return calls.call(m, Call(site.node, []), pick_command(m, key, list(wrapped), None))


@attribute(COMMAND, "callback")
def _callback(m: Machine, node: nodes.Node, value: Value) -> Value:
    return slot(m, value, "#function") if isinstance(value, Obj) else NONE


@method("click.testing.CliRunner", "invoke")
@method("typer.testing.CliRunner", "invoke")
def _invoke(m: Machine, site: Call, receiver: Value) -> Value:
    return m.unknown(site.node, "the result of a command that a test runs")

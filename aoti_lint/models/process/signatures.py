"""Functions and classes run by their signature: typer, fire, tyro and their like."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access, calls, expressions
from aoti_lint.language.data import containers
from aoti_lint.language.tools import opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.process.commands import COMMAND, run_command
from aoti_lint.models.process.options import FLAG_VALUES, Option, pick_command, script_of, symbol
from aoti_lint.values.call import Call
from aoti_lint.values.values import NONE, Class, Const, Func, Obj, Pairs, Partial, Ref, Sym, Unknown, Value

APP = "typer.Typer"


@function("typer.Typer", "cyclopts.App")
def _typer(m: Machine, site: Call) -> Value:
    return opaque(m, APP)


@function("typer.Option", "typer.Argument")
def _typer_option(m: Machine, site: Call) -> Value:
    """An option as the default or annotation of a parameter; `...` says that it must be given."""
    first = m.see(site.arg(0, "default") or Const(...))
    is_flag_name = isinstance(first, Const) and isinstance(first.value, str) and first.value.startswith("-")
    default = None if is_flag_name or first == Const(...) else first
    return Option("", "", default)


@method(APP, "command", "callback")
def _typer_command(m: Machine, site: Call, receiver: Value) -> Value:
    return Partial(Ref("typer.command()"), (receiver, site.arg(0, "name") or NONE), ())


@method(APP, "default")
def _default_command(m: Machine, site: Call, receiver: Value) -> Value:
    return _make_typer_command(m, Call(site.node, [receiver, NONE, *site.args]))


@function("typer.command()")
def _make_typer_command(m: Machine, site: Call) -> Value:
    """The function stays as it is; the application knows it."""
    owner, name, decorated = site.args[0], m.see(site.args[1]), m.see(site.arg(2) or NONE)
    if isinstance(owner, Obj) and isinstance(decorated, Func):
        held = slot(m, owner, "#items", Pairs(()))
        pairs = held.pairs if isinstance(held, Pairs) else ()
        given = isinstance(name, Const) and isinstance(name.value, str)
        shown = name if given else Const(decorated.name.replace("_", "-"))
        m.store.write(owner.ident, "#items", Pairs((*pairs, (shown, decorated))))
    return decorated


@method(APP, "add_typer")
def _add_typer(m: Machine, site: Call, receiver: Value) -> Value:
    added = m.see(site.arg(0) or NONE)
    if isinstance(receiver, Obj) and isinstance(added, Obj):
        held = slot(m, receiver, "#items", Pairs(()))
        pairs = held.pairs if isinstance(held, Pairs) else ()
        m.store.write(receiver.ident, "#items", Pairs((*pairs, (site.kwargs.get("name", NONE), added))))
    return NONE


@method(APP, "__call__")
def _call_app(m: Machine, site: Call, receiver: Value) -> Value:
    return run_app(m, site, receiver) if isinstance(receiver, Obj) else NONE


def run_app(m: Machine, site: Call, app: Obj) -> Value:
    """Run a typer application: its only command, or the one the user names."""
    held = slot(m, app, "#items", Pairs(()))
    pairs = held.pairs if isinstance(held, Pairs) else ()
    if len(pairs) == 1:
        return _run(m, Call(site.node, [pairs[0][1]]))
    arms: list[tuple[str, Value]] = []
    for name, command in pairs:
        shown = name.value if isinstance(name, Const) and isinstance(name.value, str) else "?"
        arms.append((shown, Partial(Ref("click.run()"), (command,), ())))
    if not arms:
        return m.unknown(site.node, "the commands of an application are not known")
    key = f"{script_of(m)}::app{_place(m, pairs)}::<command>"
    return calls.call(m, Call(site.node, []), pick_command(m, key, arms, None))


def _place(m: Machine, pairs: tuple[tuple[Value, Value], ...]) -> str:
    func = next((c for _, c in pairs if isinstance(c, Func)), None)
    return f"@{func.module.path}" if func is not None else ""


@function("click.run()")
def _run(m: Machine, site: Call) -> Value:
    command = site.args[0]
    if isinstance(command, Obj) and command.cls == Ref(APP):
        return run_app(m, site, command)
    if isinstance(command, Func):
        return run_function(m, site, command)
    return run_command(m, site, command)


# ---------------------------------------------------------------- functions run by their signature


def run_function(m: Machine, site: Call, func: Func) -> Value:
    """Call a function with a symbol for every parameter, as typer, fire and tyro do."""
    return calls.call(m, Call(site.node, [], signature_symbols(m, site.node, func, skip=0)), func)


def signature_symbols(m: Machine, node: nodes.Node, func: Func, skip: int) -> dict[str, Value]:
    group = f"{func.module.path}:{func.qualname}"
    found: dict[str, Value] = {}
    for param in func.node.params[skip:]:
        if param.kind not in ("var", "kwvar", "pos"):
            found[param.name] = symbol(m, node, of_parameter(m, func, param), group)
    return found


def of_parameter(m: Machine, func: Func, param: nodes.Param) -> Option:
    """The option a parameter declares by its default and annotation."""
    given = func.defaults.get(param.name)
    default = given.default if isinstance(given, Option) else given
    kind = _annotated_type(m, param.annotation)
    label = f"option --{param.name.replace('_', '-')}" if given is not None else f"argument {param.name}"
    known = FLAG_VALUES if kind == Ref("bool") else ()
    return Option(param.name, label, default, known, kind if kind is not None and default != NONE else None)


SCALARS = frozenset({"str", "int", "float", "bool", "pathlib.Path"})


def _annotated_type(m: Machine, annotation: nodes.Expr | None) -> Value | None:
    """The type an annotation names, where it converts what the user gives; `Annotated[T, ...]` is T."""
    if isinstance(annotation, nodes.Sub):
        base = annotation.base
        name = base.name if isinstance(base, nodes.Attr) else base.id if isinstance(base, nodes.Name) else ""
        if name == "Annotated" and isinstance(annotation.index, nodes.Seq) and annotation.index.items:
            return _annotated_type(m, annotation.index.items[0])
        return None
    if not isinstance(annotation, nodes.Name | nodes.Attr):
        return None
    value = m.see(expressions.evaluate(m, annotation))
    if isinstance(value, Class) and "enum" in value.traits:
        return value
    return value if isinstance(value, Ref) and value.name in SCALARS else None


@function("typer.run", "fire.Fire", "defopt.run", "cyclopts.run", "clize.run", "jsonargparse.CLI")
def _run_signature(m: Machine, site: Call) -> Value:
    """Run what is given with symbols for its parameters; a dict of functions is a group of commands."""
    given = m.see(site.arg(0, "component") or NONE)
    pairs = containers.dict_pairs(m, given)
    if isinstance(given, Func):
        return run_function(m, site, given)
    if isinstance(given, Obj) and given.cls == Ref(COMMAND):
        return run_command(m, site, given)
    if pairs:
        arms: list[tuple[str, Value]] = [
            (str(k.value), Partial(Ref("click.run()"), (v,), ())) for k, v in pairs if isinstance(k, Const)
        ]
        return calls.call(m, Call(site.node, []), pick_command(m, f"{script_of(m)}::fire::<command>", arms, None))
    return m.unknown(site.node, "what a command line runs is not known")


@function("tyro.cli", "simple_parsing.parse", "draccus.parse", "chz.entrypoint")
def _cli(m: Machine, site: Call) -> Value:
    """Run a function, or make a configuration object whose fields are options."""
    given = m.see(site.arg(0, "f") or site.arg(None, "config_class") or NONE)
    if isinstance(given, Func):
        return run_function(m, site, given)
    if not isinstance(given, Class):
        return m.unknown(site.node, "a configuration from the command line")
    init = access.class_member(m, given, "__init__")
    if init is not None and isinstance(init[0], Func):
        return calls.call(m, Call(site.node, [], signature_symbols(m, site.node, init[0], skip=1)), given)
    return _configuration(m, site, given)


def _configuration(m: Machine, site: Call, cls: Class) -> Value:
    """An instance of a dataclass whose plain fields are options."""
    made = m.see(calls.call(m, Call(site.node, []), cls))
    if not isinstance(made, Obj):
        return made
    group = f"{cls.module.path}:{cls.qualname}"
    for name, value in list(m.store.slots(made.ident)):
        value = m.see(value)
        if isinstance(value, Unknown):
            m.store.write(made.ident, name, Sym(f"{script_of(m)}::{group}::{name}", f"option --{name}"))
        elif not isinstance(value, Obj) and not name.startswith("#"):
            known = FLAG_VALUES if isinstance(value, Const) and isinstance(value.value, bool) else ()
            option = Option(name, f"option --{name.replace('_', '-')}", value, known)
            m.store.write(made.ident, name, symbol(m, site.node, option, group))
    return made


@function("typer.Exit", "typer.Abort", "click.Abort", "click.exceptions.Exit")
def _exit_exception(m: Machine, site: Call) -> Value:
    return Ref("SystemExit")


@function("hydra.main", "pytorch_lightning.utilities.cli.LightningCLI")
def _hydra(m: Machine, site: Call) -> Value:
    """The configuration comes from files: what the function is given is unknown."""
    return Ref("click.identity()")

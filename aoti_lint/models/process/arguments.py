"""`argparse`: parsers, their options, groups and commands, and the namespace they give."""

from __future__ import annotations

from dataclasses import replace

from aoti_lint.language.data import containers
from aoti_lint.language.data.defaults import by_default
from aoti_lint.language.tools import leave, opaque, slot
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.process import command_lines
from aoti_lint.models.process.options import (
    FLAG_VALUES,
    Option,
    command_symbol,
    key_of,
    pick_command,
    script_of,
    symbol,
    truth_of,
)
from aoti_lint.models.python.standard import namespace
from aoti_lint.values.call import Call
from aoti_lint.values.choices import leaves
from aoti_lint.values.events.process import BoolOption
from aoti_lint.values.identity import ident
from aoti_lint.values.values import (
    FALSE,
    NONE,
    TRUE,
    Choice,
    Const,
    Obj,
    Pairs,
    PathValue,
    Ref,
    Sym,
    Tup,
    Unknown,
    Value,
)

PARSER = "argparse.ArgumentParser"
COMMANDS = "argparse._SubParsersAction"
SUPPRESS = Ref("argparse.SUPPRESS")
READS_BOOLS = "#reads_bools"
"""The slot of a parser to which `type=bool` says that a text is read as true or false."""


# ---------------------------------------------------------------- declaring


@function("jsonargparse.ArgumentParser")
def _parser_of_yaml(m: Machine, site: Call) -> Value:
    made = _parser(m, site)
    if isinstance(made, Obj):
        m.store.write(made.ident, READS_BOOLS, TRUE)
    return made


@function(PARSER, "configargparse.ArgumentParser", "configargparse.ArgParser")
def _parser(m: Machine, site: Call) -> Value:
    number = m.read(m.frame.ident, "#parsers") or Const(0)
    count = number.value if isinstance(number, Const) and isinstance(number.value, int) else 0
    m.store.write(m.frame.ident, "#parsers", Const(count + 1))
    made_in = f"{m.frame.module.path}:{m.frame.qualname}"
    return new_parser(m, site, f"{made_in}#{count}" if count else made_in)


def new_parser(m: Machine, site: Call, name: str) -> Obj:
    """A parser; `name` tells its options from those of other parsers of the script."""
    made = opaque(m, PARSER)
    m.store.write(made.ident, "#name", Const(name))
    inherited: list[Value] = []
    for one in containers.items_of(m, site.kwargs.get("parents", NONE)) or []:
        inherited += _options(m, one)
    m.store.write(made.ident, "#options", Tup(tuple(inherited)))
    return made


@method(PARSER, "add_argument_group", "add_mutually_exclusive_group")
def _group(m: Machine, site: Call, receiver: Value) -> Value:
    """A group only orders the help: what is added to it is added to the parser."""
    return receiver


@method(PARSER, "add_argument", "add", "add_arg")
def _add_argument(m: Machine, site: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    option = None if site.open else declared(m, site)
    if option is None:
        m.store.write(receiver.ident, "#open", TRUE)
    else:
        held = slot(m, receiver, "#options", Tup(()))
        before = held.items if isinstance(held, Tup) else tuple(_options(m, receiver))
        m.store.write(receiver.ident, "#options", Tup((*before, option)))
    return m.unknown(site.node, "an action of an argument parser")


def declared(m: Machine, site: Call) -> Option | None:
    """The option that `add_argument(...)` declares; None where its name or kind cannot be told."""
    names = [v.value for v in (m.see(a) for a in site.args) if isinstance(v, Const) and isinstance(v.value, str)]
    given = m.see(site.kwargs.get("dest", NONE))
    if len(names) != len(site.args) or not (names or isinstance(given, Const)):
        return None
    flags = [n for n in names if n.startswith("-")]
    if isinstance(given, Const) and isinstance(given.value, str):
        dest = given.value
    elif flags:
        dest = next((f for f in flags if f.startswith("--")), flags[0]).lstrip("-").replace("-", "_")
    else:
        dest = names[0]
    label = f"option {max(flags, key=len)}" if flags else f"argument {dest}"
    option = _with_action(m, site, dest, label, bool(flags))
    if option is None:
        return None
    action = m.see(site.kwargs.get("action", Const("store")))
    named = action.value if isinstance(action, Const) else "boolean" if isinstance(action, Ref) else ""
    const, nargs = (m.see(site.kwargs.get(n, NONE)) for n in ("const", "nargs"))
    return replace(option, flags=tuple(flags), action=str(named), const=const, nargs=nargs, place=m.span(site.node))


def _with_action(m: Machine, site: Call, dest: str, label: str, optional: bool) -> Option | None:
    action = m.see(site.kwargs.get("action", Const("store")))
    default = site.kwargs.get("default")
    required = truth_of(m, site.kwargs.get("required"), default=not optional)
    nargs = m.see(site.kwargs.get("nargs", NONE))
    if not optional and nargs in (Const("?"), Const("*")):
        required = False
    if default == SUPPRESS:
        default, required = None, True
    missing = None if required and default is None else (NONE if default is None else default)
    match action:
        case Const("store_true" | "store_false" as name):
            usual = FALSE if name == "store_true" else TRUE
            return Option(dest, label, usual if default is None else default, FLAG_VALUES)
        case Ref("argparse.BooleanOptionalAction"):
            return Option(dest, label, missing, FLAG_VALUES if default in FLAG_VALUES else ())
        case Const("store_const"):
            const = m.see(site.kwargs.get("const", NONE))
            fallback = NONE if default is None else default
            return Option(dest, label, fallback, (const, fallback) if isinstance(const, Const) else ())
        case Const("count"):
            return Option(dest, label, NONE if default is None else default)
        case Const("append" | "append_const" | "extend"):
            return Option(dest, label, NONE if default is None else default, several=True)
        case Const("help" | "version"):
            return Option("#none", label)
        case Const("store"):
            several = nargs not in (NONE, Const("?"))
            choices = containers.items_of(m, site.kwargs.get("choices", NONE)) or []
            known = tuple(m.see(c) for c in choices) if not several else ()
            if known and missing is not None:
                known += tuple(v for _, v in leaves(missing) if v not in known)
            if not all(isinstance(k, Const) for k in known) or (nargs == Const("?") and "const" in site.kwargs):
                known = ()
            kind = m.see(site.kwargs["type"]) if "type" in site.kwargs else None
            return Option(dest, label, missing, known, kind, several)
        case _:
            return None


@method(PARSER, "set_defaults")
def _set_defaults(m: Machine, site: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    held = slot(m, receiver, "#defaults", Pairs(()))
    pairs = dict(held.pairs) if isinstance(held, Pairs) else {}
    pairs |= {Const(k): v for k, v in site.kwargs.items()}
    m.store.write(receiver.ident, "#defaults", Pairs(tuple(pairs.items())))
    return NONE


@method(PARSER, "add_subparsers")
def _add_subparsers(m: Machine, site: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    made = opaque(m, COMMANDS)
    dest = m.see(site.kwargs.get("dest", NONE))
    m.store.write(made.ident, "#dest", dest)
    m.store.write(made.ident, "#parser", receiver)
    m.store.write(made.ident, "#required", site.kwargs.get("required", FALSE))
    m.store.write(receiver.ident, "#commands", made)
    return made


@method(COMMANDS, "add_parser")
def _add_parser(m: Machine, site: Call, receiver: Value) -> Value:
    assert isinstance(receiver, Obj)
    name = m.see(site.arg(0, "name") or NONE)
    owner = slot(m, receiver, "#parser")
    prefix = slot(m, owner, "#name") if isinstance(owner, Obj) else NONE
    made = new_parser(m, site, f"{ident(prefix)} {ident(name)}")
    held = slot(m, receiver, "#items", Pairs(()))
    if isinstance(held, Pairs) and isinstance(name, Const) and isinstance(name.value, str):
        m.store.write(receiver.ident, "#items", Pairs((*held.pairs, (name, made))))
    else:
        m.store.write(receiver.ident, "#items", Unknown(f"u{m.fresh()}", "the commands are not all known"))
    return made


# ---------------------------------------------------------------- parsing


def _options(m: Machine, parser: Value) -> list[Value]:
    """All options a parser may have, those of branches too."""
    parser = m.see(parser)
    if not isinstance(parser, Obj):
        return []
    found: dict[Value, None] = {}
    for _, held in leaves(slot(m, parser, "#options", Tup(())), m.root.path):
        found |= dict.fromkeys(held.items if isinstance(held, Tup) else ())
    return list(found)


def parsed(m: Machine, site: Call, parser: Obj) -> dict[str, Value]:
    """The attributes that parsing gives: options, defaults, and those of the commands."""
    name = slot(m, parser, "#name")
    group = str(name.value) if isinstance(name, Const) else ident(parser)
    values: dict[str, Value] = {}
    for option in _options(m, parser):
        if isinstance(option, Option) and option.dest != "#none":
            values[option.dest] = symbol(m, site.node, _changed(m, parser, option), group)
            if option.type == Ref("bool") and option.place is not None and slot(m, parser, READS_BOOLS) == NONE:
                own, usual = key_of(m, option, group), option.default or NONE
                m.emit(BoolOption, site.node, key=own, label=option.label, default=usual, place=option.place)
    defaults = slot(m, parser, "#defaults", Pairs(()))
    for key, value in defaults.pairs if isinstance(defaults, Pairs) else ():
        values.setdefault(str(key.value) if isinstance(key, Const) else "", value)
    commands = slot(m, parser, "#commands")
    if isinstance(commands, Obj):
        _parse_commands(m, site, commands, f"{script_of(m)}::{group}", values)
    return values


def _changed(m: Machine, parser: Obj, option: Option) -> Option:
    """The option with the default that `set_defaults` gave it."""
    defaults = slot(m, parser, "#defaults", Pairs(()))
    for key, value in defaults.pairs if isinstance(defaults, Pairs) else ():
        if key == Const(option.dest):
            return replace(option, default=value)
    return option


def _parse_commands(m: Machine, site: Call, commands: Obj, group: str, values: dict[str, Value]) -> None:
    """Options of the commands: one that several have is that of the command the user names."""
    dest = slot(m, commands, "#dest")
    key = f"{group}::{dest.value if isinstance(dest, Const) and dest.value else '<command>'}"
    held = slot(m, commands, "#items", Pairs(()))
    if not isinstance(held, Pairs):
        return
    arms: dict[str, list[tuple[str, Value]]] = {}
    names = [str(n.value) for n, _ in held.pairs if isinstance(n, Const)]
    for name, parser in zip(names, (p for _, p in held.pairs), strict=True):
        if isinstance(parser, Obj):
            for option, value in parsed(m, site, parser).items():
                arms.setdefault(option, []).append((name, value))
    for option, found in arms.items():
        values[option] = pick_command(m, key, found, values.get(option))
    if isinstance(dest, Const) and isinstance(dest.value, str):
        values[dest.value] = command_symbol(m, key, names)


def fill(m: Machine, site: Call, receiver: Value) -> Value:
    """The namespace that `parse_args` gives."""
    assert isinstance(receiver, Obj)
    words = words_given(m, site.arg(0, "args"))
    found = None if words is None else command_lines.parse(m, site, receiver, words)
    values = found if found is not None else parsed(m, site, receiver)
    if found is None and words is not None:
        values = _from_list(m, values, words)
    into = m.see(site.arg(1, "namespace") or NONE)
    if isinstance(into, Obj):
        for name, value in values.items():
            m.store.write(into.ident, name, value)
        return into
    return namespace(m, values)


def words_given(m: Machine, given: Value | None) -> list[Value] | None:
    """The words that are parsed, where they are known: those of the call, else those that started this script."""
    if given is None or m.see(given) == NONE:
        held = m.read("process", "argv")
        return list(held.items) if isinstance(held, Tup) else None
    return containers.items_of(m, given)


def _from_list(m: Machine, values: dict[str, Value], words: list[Value]) -> dict[str, Value]:
    """The namespace where the words could not be parsed: nothing given leaves the defaults."""
    found: dict[str, Value] = {}
    for name, value in values.items():
        if not words:
            found[name] = by_default(value)
        elif isinstance(value, Sym | Choice | PathValue):
            found[name] = Unknown(f"u{m.fresh()}", f"{name} comes from a list of arguments")
        else:
            found[name] = value
    return found


@method(PARSER, "parse_args", "parse_intermixed_args")
def _parse_args(m: Machine, site: Call, receiver: Value) -> Value:
    return fill(m, site, receiver)


@method(PARSER, "parse_known_args", "parse_known_intermixed_args")
def _parse_known_args(m: Machine, site: Call, receiver: Value) -> Value:
    return Tup((fill(m, site, receiver), m.unknown(site.node, "the arguments a parser does not know")))


@method(PARSER, "get_default")
def _get_default(m: Machine, site: Call, receiver: Value) -> Value:
    wanted = m.see(site.arg(0, "dest") or NONE)
    for option in _options(m, receiver):
        if isinstance(option, Option) and Const(option.dest) == wanted and isinstance(receiver, Obj):
            return _changed(m, receiver, option).default or NONE
    return m.unknown(site.node, "the default of an option")


@method(PARSER, "error", "exit")
def _error(m: Machine, site: Call, receiver: Value) -> Value:
    return leave(m, "SystemExit")


@method(PARSER, "print_help", "print_usage", "format_help", "register")
def _help(m: Machine, site: Call, receiver: Value) -> Value:
    return NONE

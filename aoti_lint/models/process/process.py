"""The process around the script: its environment variables, arguments, the platform, and ways to leave."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeGuard

from aoti_lint.ir import nodes
from aoti_lint.language.data import containers
from aoti_lint.language.effects import torch_imports
from aoti_lint.language.tools import leave
from aoti_lint.language.truths import ask
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import ANY_VARIABLE, ENVIRONMENT, Machine
from aoti_lint.machine.tables import attribute, constant, function, method
from aoti_lint.models.process.options import script_of
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond
from aoti_lint.values.events.process import EnvWrite
from aoti_lint.values.identity import ident
from aoti_lint.values.values import (
    ABSENT,
    FALSE,
    NONE,
    TRUE,
    Choice,
    Const,
    Obj,
    Ref,
    SliceValue,
    Sym,
    Tup,
    Unknown,
    Value,
)  # fmt: skip

TABLE = "env"
"""Owner of the cells that hold what the script wrote: a text, None where it deleted the variable."""
ONLY = "#only"
"""The cell that says that no other variables are set than those that were written."""
ENVIRON = Obj(0, "object", ENVIRONMENT)
"""The variables of the process. Other objects of its class are copies, whose identity owns their cells."""


@constant("os.environ", "os.environb")
def _environ(m: Machine) -> Value:
    return ENVIRON


def is_environment(value: Value) -> TypeGuard[Obj]:
    """Whether a value is `os.environ`, or a dict that was made of it."""
    return isinstance(value, Obj) and value.cls == ENVIRONMENT


def table_of(environ: Value) -> object:
    """The owner of the cells of `os.environ`, or of a copy."""
    return environ.ident if isinstance(environ, Obj) and environ != ENVIRON else TABLE


# ---------------------------------------------------------------- reading


def variable(m: Machine, name: str, default: Value | None = None, environ: Value = ENVIRON) -> Value:
    """The variable as the script sees it; `default` is what the asking code takes if it is not set."""
    written = m.store.read(table_of(environ), name)
    if written is None:
        written = ABSENT
    missing = Unknown(f"env:{name} missing", f"the variable {name} was deleted") if default is None else default
    outside = missing if m.read(table_of(environ), ONLY) is not None else _outside(m, name, default, environ)

    def apply(value: Value) -> Value:
        if value is ABSENT:
            return outside
        return missing if value == NONE else value

    return lift(m, written, apply)


def _outside(m: Machine, name: str, default: Value | None, environ: Value) -> Value:
    """A variable the script has not written: what the user sets, or what the code takes instead."""
    if m.read(table_of(environ), ANY_VARIABLE) is not None:
        return Unknown(f"env:{name} or lost", "variables of unknown names were set")
    origin = f"the environment variable {name}"
    if default is None or m.see(default) == NONE:
        return Sym(f"env:{name}", origin, default)
    # Code that asks with another default sees another value where the variable is not set.
    return lift(m, default, lambda d: Sym(f"env:{name} or {ident(d)}", origin, d))


def is_set(m: Machine, name: str, environ: Value = ENVIRON) -> Value:
    """Whether the variable is set."""
    outside: Value = FALSE
    if m.read(table_of(environ), ONLY) is None:
        outside = ask(m, Cond(("in", name, "os.environ"), "option", f"the environment variable {name}"))
    written = m.store.read(table_of(environ), name)
    if written is None:
        return outside
    return lift(m, written, lambda v: outside if v is ABSENT else FALSE if v == NONE else TRUE)


def name_of(m: Machine, value: Value | None) -> str | None:
    value = m.see(value) if value is not None else None
    if isinstance(value, Const) and isinstance(value.value, str | bytes):
        return value.value if isinstance(value.value, str) else value.value.decode(errors="replace")
    return None


def _unnamed(m: Machine, key: Value | None) -> Value:
    return Unknown(f"env:{ident(key or NONE)}", "a variable of an unknown name")


@method("os.environ", "get")
def _get(m: Machine, site: Call, receiver: Value) -> Value:
    name = name_of(m, site.arg(0, "key"))
    if name is None:
        return _unnamed(m, site.arg(0, "key"))
    return variable(m, name, site.arg(1, "default", NONE), receiver)


@function("os.getenv")
def _getenv(m: Machine, site: Call) -> Value:
    return _get(m, site, ENVIRON)


@method("os.environ", "__getitem__")
def _item(m: Machine, site: Call, receiver: Value) -> Value:
    name = name_of(m, site.args[0])
    return _unnamed(m, site.args[0]) if name is None else variable(m, name, None, receiver)


@method("os.environ", "__contains__")
def _contains(m: Machine, site: Call, receiver: Value) -> Value:
    name = name_of(m, site.args[0])
    return ask(m, Cond(("in", ident(site.args[0]), "os.environ"))) if name is None else is_set(m, name, receiver)


@method("os.environ", "items", "keys", "values")
def _all(m: Machine, site: Call, receiver: Value) -> Value:
    return m.unknown(site.node, "all environment variables")


# ---------------------------------------------------------------- writing


def each(m: Machine, value: Value, do: Callable[[Value], None]) -> None:
    """Do something for every alternative of a value, where that is what it is."""
    value = m.see(value)
    if isinstance(value, Choice):
        m.fork(value.cond, partial(each, m, value.then, do), partial(each, m, value.other, do))
    else:
        do(value)


def write(m: Machine, node: nodes.Node, name: Value, value: Value, environ: Value = ENVIRON) -> None:
    """`os.environ[name] = value`, or the same for a copy; a value of None deletes it."""

    def of(one: Value) -> None:
        known = name_of(m, one)
        if known is None:
            m.store.write(table_of(environ), ANY_VARIABLE, TRUE)
            return
        m.store.write(table_of(environ), known, value)
        if isinstance(environ, Obj) and environ != ENVIRON:
            m.write_entry(environ.ident, known, m.span(node))
        else:
            m.emit(EnvWrite, node, name=known, value=m.see(value), begun=torch_imports.state(m))

    each(m, name, of)


@method("os.environ", "__setitem__")
def _set_item(m: Machine, site: Call, receiver: Value) -> Value:
    write(m, site.node, site.args[0], site.args[1], receiver)
    return NONE


@function("os.putenv")
def _putenv(m: Machine, site: Call) -> Value:
    write(m, site.node, site.arg(0, "key") or NONE, site.arg(1, "value") or NONE)
    return NONE


@method("os.environ", "setdefault")
def _set_default(m: Machine, site: Call, receiver: Value) -> Value:
    name, default = name_of(m, site.arg(0, "key")), site.arg(1, "default", NONE) or NONE
    value = _unnamed(m, site.arg(0, "key")) if name is None else variable(m, name, default, receiver)
    write(m, site.node, site.arg(0, "key") or NONE, value, receiver)
    return value


@method("os.environ", "update", "__ior__")
def _update(m: Machine, site: Call, receiver: Value) -> Value:
    for given in site.args:
        each(m, given, lambda one: update(m, site.node, containers.dict_pairs(m, one), receiver))
    update(m, site.node, None if site.open else [(Const(k), v) for k, v in site.kwargs.items()], receiver)
    return NONE


def update(m: Machine, node: nodes.Node, pairs: list[tuple[Value, Value]] | None, environ: Value = ENVIRON) -> None:
    """Write several variables; None: which ones is not known."""
    if pairs is None:
        m.store.write(table_of(environ), ANY_VARIABLE, TRUE)
    for key, value in pairs or ():
        write(m, node, key, value, environ)


@method("os.environ", "pop", "__delitem__")
def _pop(m: Machine, site: Call, receiver: Value) -> Value:
    name = name_of(m, site.arg(0, "key"))
    if name is None:
        m.store.write(table_of(receiver), ANY_VARIABLE, TRUE)
        return _unnamed(m, site.arg(0, "key"))
    before = variable(m, name, site.arg(1, "default"), receiver)
    write(m, site.node, Const(name), NONE, receiver)
    return before


@function("os.unsetenv")
def _unset(m: Machine, site: Call) -> Value:
    write(m, site.node, site.arg(0, "key") or NONE, NONE)
    return NONE


@method("os.environ", "clear")
def _clear(m: Machine, site: Call, receiver: Value) -> Value:
    m.store.write(table_of(receiver), ANY_VARIABLE, TRUE)
    return NONE


# ---------------------------------------------------------------- arguments and platform

ARGV = Obj(-1, "object", Ref("sys.argv"))


@constant("sys.argv")
def _argv(m: Machine) -> Value:
    return ARGV


@method("sys.argv", "__getitem__")
def _argument(m: Machine, site: Call, receiver: Value) -> Value:
    index = m.see(site.args[0])
    script = script_of(m)
    given = m.read("process", "argv")
    if isinstance(given, Tup):
        found = containers.lookup(m, Tup((Const(script), *given.items)), index)
        if found is not None and found is not ABSENT:
            return m.new_list(found.items) if isinstance(found, Tup) and isinstance(index, SliceValue) else found
    if isinstance(index, Const) and isinstance(index.value, int) and index.value:
        return Sym(f"{script}::sys.argv[{index.value}]", f"argument {index.value} of the command line")
    return Unknown(f"{script}::sys.argv[{ident(index)}]", "arguments of the command line")


@method("sys.argv", "__contains__")
def _given(m: Machine, site: Call, receiver: Value) -> Value:
    """Whether a word was given on the command line: usually not."""
    given = m.read("process", "argv")
    word = m.see(site.args[0])
    if isinstance(given, Tup) and isinstance(word, Const) and all(isinstance(g, Const) for g in given.items):
        return Const(word in given.items)
    return ask(m, Cond(("in", ident(site.args[0]), f"{script_of(m)}::sys.argv"), "option", "a flag of the command"))


@method("sys.argv", "__len__")
def _how_many(m: Machine, site: Call, receiver: Value) -> Value:
    given = m.read("process", "argv")
    if isinstance(given, Tup):
        return Const(len(given.items) + 1)
    return Sym(f"{script_of(m)}::len(sys.argv)", "the number of arguments of the command line", Const(1))


@method("sys.argv", "append", "extend", "insert", "pop", "remove")
def _change_arguments(m: Machine, site: Call, receiver: Value) -> Value:
    return m.unknown(site.node, "the arguments of the command line")


@constant("sys.platform")
def _sys_platform(m: Machine) -> Value:
    return Sym("machine:sys.platform", "the operating system", Const("linux"))


@constant("os.name")
def _os_name(m: Machine) -> Value:
    return Sym("machine:os.name", "the operating system", Const("posix"))


@constant("sys.version_info")
def _version_info(m: Machine) -> Value:
    return Sym("machine:sys.version_info", "the version of Python")


@attribute("Sym", "major")
def _major(m: Machine, node: nodes.Node, value: Value) -> Value:
    if isinstance(value, Sym) and value.key == "machine:sys.version_info":
        return Const(3)
    return Unknown(f"{ident(value)}.major", "a part of a version")


def _of_python(name: str) -> None:
    constant(name)(lambda m: Unknown(f"machine:{name}", "a property of the Python installation"))


for _key in ("sys.executable", "sys.prefix", "sys.version", "sys.maxsize", "sys.byteorder"):
    _of_python(_key)


@function("platform.system")
def _system(m: Machine, site: Call) -> Value:
    return Sym("machine:platform.system", "the operating system", Const("Linux"))


def _machine_question(name: str) -> None:
    @function(name)
    def model(m: Machine, site: Call) -> Value:
        return Unknown(f"machine:{name}", "a property of the machine")


for _key in (
    "platform.machine", "platform.node", "platform.processor", "platform.release", "platform.platform",
    "platform.python_version", "platform.version", "socket.gethostname", "os.cpu_count", "multiprocessing.cpu_count",
    "os.uname", "platform.uname", "getpass.getuser",
):  # fmt: skip
    _machine_question(_key)


# ---------------------------------------------------------------- leaving


@function("sys.exit", "os._exit", "exit", "quit", "os.abort")
def _exit(m: Machine, site: Call) -> Value:
    return leave(m, "SystemExit")

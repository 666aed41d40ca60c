"""`pathlib` and `os.path`."""

from __future__ import annotations

import posixpath
from collections.abc import Callable

from aoti_lint.ir import nodes
from aoti_lint.language.data import paths
from aoti_lint.language.data.paths import as_text
from aoti_lint.language.data.texts import concat, to_text
from aoti_lint.language.tools import derive, label_of
from aoti_lint.machine.alternatives import lift, lift_all
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import attribute, constant, function, method, operator
from aoti_lint.values.call import Call
from aoti_lint.values.identity import ident
from aoti_lint.values.values import FALSE, NONE, TRUE, Const, PathValue, Text, Tup, Unknown, Value

CLASSES = ("Path", "PurePath", "PosixPath", "PurePosixPath", "WindowsPath", "PureWindowsPath")
PARENTS = 8


def on_text(m: Machine, value: Value, apply: Callable[[Value], Value]) -> Value:
    """`apply` to the text of a path, giving a path for a path and a text for a text."""
    return lift(m, value, lambda v: PathValue(apply(v.text)) if isinstance(v, PathValue) else apply(v))


# ---------------------------------------------------------------- making and joining


@function(*(f"pathlib.{name}" for name in CLASSES))
def _path(m: Machine, site: Call) -> Value:
    if site.open:
        return m.unknown(site.node, "the parts of a path are not all known")
    return lift_all(m, site.args, lambda parts: PathValue(paths.normal(paths.join_paths(parts or [Const(".")]))))


@method("Path", "joinpath")
def _join_path(m: Machine, site: Call, receiver: Value) -> Value:
    if site.open:
        return m.unknown(site.node, "the parts of a path are not all known")
    return lift_all(m, [receiver, *site.args], lambda parts: PathValue(paths.join_paths(parts)))


@function("os.path.join", "posixpath.join", "ntpath.join")
def _join(m: Machine, site: Call) -> Value:
    if site.open:
        return m.unknown(site.node, "the parts of a path are not all known")
    return lift_all(m, site.args, paths.join_paths)


@function("os.getcwd", "os.getcwdb")
def _cwd(m: Machine, site: Call) -> Value:
    return paths.CWD


@function("pathlib.Path.cwd")
def _cwd_path(m: Machine, site: Call) -> Value:
    return PathValue(paths.CWD)


@function("pathlib.Path.home")
def _home(m: Machine, site: Call) -> Value:
    return PathValue(paths.HOME)


# ---------------------------------------------------------------- pathlib


@attribute("Path", "parent")
def _parent(m: Machine, node: nodes.Node, value: Value) -> Value:
    return on_text(m, value, lambda t: paths.parent(m, t))


@attribute("Path", "parents")
def _parents(m: Machine, node: nodes.Node, value: Value) -> Value:
    found: list[Value] = []
    for _ in range(PARENTS):
        value = _parent(m, node, value)
        if found and found[-1] == value:
            break
        found.append(value)
    return Tup(tuple(found))


@attribute("Path", "name")
def _name(m: Machine, node: nodes.Node, value: Value) -> Value:
    return paths.base_name(m, as_text(m, value))


@attribute("Path", "stem")
def _stem(m: Machine, node: nodes.Node, value: Value) -> Value:
    name = paths.base_name(m, as_text(m, value))
    cut = paths.without_suffix(m, name)
    return cut[0] if cut is not None else derive(m, name, ".stem", lambda n: posixpath.splitext(n)[0])


@attribute("Path", "suffix")
def _suffix(m: Machine, node: nodes.Node, value: Value) -> Value:
    text = as_text(m, value)
    cut = paths.without_suffix(m, text)
    return cut[1] if cut is not None else derive(m, text, ".suffix", lambda t: posixpath.splitext(t)[1])


@method("Path", "with_suffix")
def _with_suffix(m: Machine, site: Call, receiver: Value) -> Value:
    def apply(chosen: list[Value]) -> Value:
        text, suffix = chosen
        cut = paths.without_suffix(m, text)
        if cut is not None:
            return PathValue(concat([cut[0], suffix]))
        plain = suffix.value if isinstance(suffix, Const) else None
        label = label_of("with_suffix", [suffix])
        if isinstance(plain, str):
            return PathValue(derive(m, text, label, lambda t: posixpath.splitext(t)[0] + plain))
        return PathValue(Unknown(f"{ident(text)}{label}", "a path with another suffix"))

    return lift_all(m, [as_text(m, receiver), site.arg(0, "suffix") or NONE], apply)


@method("Path", "with_name")
def _with_name(m: Machine, site: Call, receiver: Value) -> Value:
    return _renamed(m, receiver, lambda _: site.arg(0, "name") or NONE)


@method("Path", "with_stem")
def _with_stem(m: Machine, site: Call, receiver: Value) -> Value:
    def rename(text: Value) -> Value | None:
        cut = paths.without_suffix(m, text)
        return None if cut is None else concat([as_text(m, site.arg(0, "stem") or NONE), cut[1]])

    return _renamed(m, receiver, rename)


def _renamed(m: Machine, receiver: Value, rename: Callable[[Value], Value | None]) -> Value:
    """The path with another last segment."""

    def apply(text: Value) -> Value:
        name = rename(text)
        if name is None:
            return PathValue(Unknown(f"{ident(text)}.renamed", "a path with another name"))
        return lift(m, name, lambda n: PathValue(paths.join_paths([paths.parent(m, text), n])))

    return lift(m, as_text(m, receiver), apply)


@method("Path", "resolve", "absolute")
def _resolve(m: Machine, site: Call, receiver: Value) -> Value:
    return on_text(m, receiver, lambda t: paths.absolute(m, t))


@method("Path", "expanduser")
def _expand_user(m: Machine, site: Call, receiver: Value) -> Value:
    return on_text(m, receiver, paths.expand_user)


@method("Path", "as_posix", "__str__", "__fspath__")
def _as_posix(m: Machine, site: Call, receiver: Value) -> Value:
    return as_text(m, receiver)


def _unknown_answer(name: str) -> None:
    @method("Path", name)
    def model(m: Machine, site: Call, receiver: Value) -> Value:
        return Unknown(f"{ident(receiver)}{label_of(name, site.args)}", f"the result of .{name}() of a path")


for _question in ("relative_to", "as_uri", "is_relative_to", "match", "samefile"):
    _unknown_answer(_question)


@method("Path", "is_absolute")
def _is_absolute(m: Machine, site: Call, receiver: Value) -> Value:
    return _absolute_truth(m, receiver)


@function("os.path.isabs")
def _isabs(m: Machine, site: Call) -> Value:
    return _absolute_truth(m, site.arg(0, "s") or NONE)


def _absolute_truth(m: Machine, value: Value) -> Value:
    def apply(text: Value) -> Value:
        first = text.parts[0] if isinstance(text, Text) else text
        if first in (paths.CWD, paths.HOME):
            return TRUE
        if isinstance(first, Const):
            return TRUE if str(first.value).startswith("/") else FALSE
        return Unknown(f"{ident(text)}.is_absolute", "whether a path is absolute")

    return lift(m, as_text(m, value), apply)


# ---------------------------------------------------------------- os.path


def _of_text(*names: str) -> Callable[[Callable[[Machine, Value], Value]], Callable[[Machine, Value], Value]]:
    """The model of functions of one path that give a text."""

    def register(apply: Callable[[Machine, Value], Value]) -> Callable[[Machine, Value], Value]:
        @function(*names)
        def model(m: Machine, site: Call) -> Value:
            given = site.args[0] if site.args else next(iter(site.kwargs.values()), NONE)
            return lift(m, as_text(m, given), lambda t: apply(m, t))

        return apply

    return register


_of_text("os.path.abspath", "os.path.realpath", "posixpath.abspath")(paths.absolute)
_of_text("os.path.expanduser")(lambda m, t: paths.expand_user(t))


@_of_text("os.path.normpath")
def _normpath(m: Machine, text: Value) -> Value:
    return derive(m, text, ".norm", posixpath.normpath) if isinstance(text, Const) else text


@_of_text("os.path.basename")
def _basename(m: Machine, text: Value) -> Value:
    return Const("") if _ends_with_slash(text) else paths.base_name(m, text)


@_of_text("os.path.dirname")
def _dirname(m: Machine, text: Value) -> Value:
    if isinstance(text, Const):
        return derive(m, text, ".dirname", posixpath.dirname)
    if isinstance(text, Text) and _ends_with_slash(text):
        *before, last = text.parts
        return concat([*before, Const(str(last.value)[:-1])]) if isinstance(last, Const) else text
    return paths.parent(m, text)


def _ends_with_slash(text: Value) -> bool:
    last = text.parts[-1] if isinstance(text, Text) else text
    return isinstance(last, Const) and str(last.value).endswith("/")


@_of_text("os.path.split")
def _split(m: Machine, text: Value) -> Value:
    return Tup((_dirname(m, text), _basename(m, text)))


@_of_text("os.path.splitext")
def _splitext(m: Machine, text: Value) -> Value:
    cut = paths.without_suffix(m, text)
    if cut is not None:
        return Tup(cut)
    root = derive(m, text, ".root", lambda t: posixpath.splitext(t)[0])
    return Tup((root, derive(m, text, ".suffix", lambda t: posixpath.splitext(t)[1])))


def _unknown_text(name: str) -> None:
    @function(f"os.path.{name}")
    def model(m: Machine, site: Call) -> Value:
        return Unknown(f"os.path{label_of(name, site.args)}", f"the result of os.path.{name}()")


for _function in ("expandvars", "getsize", "getmtime", "relpath", "commonpath"):
    _unknown_text(_function)


@function("os.fspath", "os.fsdecode")
def _fspath(m: Machine, site: Call) -> Value:
    return to_text(m, site.arg(0, "path") or NONE)


@function("importlib.resources.files")
def _resources(m: Machine, site: Call) -> Value:
    return PathValue(Unknown(f"resources:{ident(site.arg(0, 'package') or NONE)}", "the files of an installed package"))


@constant("os.sep", "os.path.sep")
def _sep(m: Machine) -> Value:
    return Const("/")


@operator("Path")
def _joined(m: Machine, node: nodes.Node, op: str, a: Value, b: Value | None) -> Value | None:
    return PathValue(paths.join_paths([a, b])) if op == "/" and b is not None else None

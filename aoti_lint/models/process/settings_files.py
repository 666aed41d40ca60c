"""Configuration that lies in the project: JSON, TOML and YAML files are read, and what they hold are defaults.

The user may change the file, so each of its values is a symbol that the file gives a default.
"""

from __future__ import annotations

import posixpath
from typing import Any

from aoti_lint.language.data import containers, paths
from aoti_lint.language.data.defaults import by_default
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.process.files import TEXT_FILE, file_slot
from aoti_lint.models.process.options import script_of
from aoti_lint.source.discovery.discover import DATA_SUFFIXES
from aoti_lint.source.settings.data import MAX_SIZE, broken, parse_json, parse_toml, parse_yaml
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose, leaves
from aoti_lint.values.conditions import Cond, decide
from aoti_lint.values.identity import ident
from aoti_lint.values.values import NONE, Choice, Const, Obj, PathValue, Ref, Sym, Text, Unknown, Value

MAX_VALUES = 500
"""Values that are followed: a file with more is data, not settings."""
_PLAIN = (str, bool, int, float, type(None))
_MISSING = ("FileNotFoundError", "OSError", "IOError", "EnvironmentError", "Exception", "BaseException")
_BROKEN = ("JSONDecodeError", "TOMLDecodeError", "YAMLError", "ValueError", "Exception", "BaseException")
"""What catches that a file is not there, and that it cannot be parsed."""
ON_DISK = "what lies on the disk"
"""Why what is read is not known, where there is nothing more to say."""
TEXT_OF = "text of"
"""The table that says of which file an unknown text is the content."""


def content_of(m: Machine, path: Value, reason: str) -> Value:
    """The text of a file, as an unknown that remembers the file."""
    made = Unknown(f"content of {ident(path)}", f"what lies on the disk ({reason})")
    m.store.write(TEXT_OF, made.key, path)
    return made


@method("Path", "read_text", "read_bytes")
def _read_text(m: Machine, call: Call, receiver: Value) -> Value:
    return content_of(m, receiver, "read_text")


@method("io.IOBase", "read")
@method(TEXT_FILE, "read")
def _read(m: Machine, call: Call, receiver: Value) -> Value:
    path = m.read(receiver.ident, "#file") if isinstance(receiver, Obj) else None
    if path is None or call.args:
        return m.unknown(call.node, "what a file holds")
    return content_of(m, path, "read")


def file_behind(m: Machine, value: Value) -> Value | None:
    """The path of the file that an open file, or a text, was read from."""
    value = m.see(value)
    if isinstance(value, Obj):
        return m.read(value.ident, "#file")
    return m.read(TEXT_OF, value.key) if isinstance(value, Unknown) else None


def project_file(m: Machine, path: Value, endings: tuple[str, ...] = DATA_SUFFIXES) -> str | None:
    """The file of the project that a path means; None where it is none, or it is not known which."""
    for found in _places(m, path):
        if found.endswith(endings) and m.project.source(found) is not None:
            return found
    return None


def _places(m: Machine, path: Value) -> list[str]:
    """Where in the project the file may lie that a path means: beside the script, or in the root."""
    path = m.see(path)
    if isinstance(path, Choice):
        return []
    key = paths.path_key(m, path)
    folders = [posixpath.dirname(script_of(m)), ""]
    if key and key[0] == f"<{paths.PROJECT_ROOT.key}>":
        key, folders = key[1:], [""]
    if not key or any("<" in part or part == "/" for part in key):
        return []
    places = [posixpath.normpath(posixpath.join(folder, *key)) for folder in folders]
    return [place for place in dict.fromkeys(places) if not place.startswith("..")]


def _is_missing(m: Machine, path: Value) -> bool:
    """Whether a file of settings is in no place where it may lie, and the script neither makes it nor asks for it."""
    places = _places(m, path)
    if not places or not places[0].endswith(DATA_SUFFIXES) or any(map(m.project.is_file, places)):
        return False
    name = file_slot(m, path)
    asked = any(cond.key == ("exists", name) for cond in m.root.path)
    return not asked and m.read("files", name) is None and not m.catches(*_MISSING)


def _unread(m: Machine, call: Call, file: str, why: str, told: bool = True) -> Value:
    """What is in a file is not known, which is `told` where the script does not expect it."""
    if told and not m.root.muted:
        m.unread(m.span(call.node), file, why)
    return _lost(m, f"{file} {why}")


def _lost(m: Machine, why: str) -> Value:
    return Unknown(f"u{m.fresh()}", why)


def settings(m: Machine, call: Call, given: Value, parse: Any) -> Value:
    """What parsing a file of the project gives that is open or was read, or a text that is written out."""
    given = m.see(given)

    def of(text: Value) -> Value:
        if isinstance(text, Const) and isinstance(text.value, str):
            return _parsed(m, call, "", text.value, parse)
        path = file_behind(m, text)
        if path is None:
            return _lost(m, ON_DISK)
        return _at(m, call, path, parse, told=not isinstance(given, Choice))

    return _told_apart(m, call, lift(m, given, of))


def settings_at(m: Machine, call: Call, path: Value, parse: Any) -> Value:
    """What parsing the file of the project gives that a path means; nobody minds whether it is there."""
    return _told_apart(m, call, _at(m, call, path, parse, told=False))


def _told_apart(m: Machine, call: Call, found: Value) -> Value:
    """What was found in several files; of files of which none is known there is nothing to tell apart."""
    if all(isinstance(one, Unknown) for _, one in leaves(found)):
        usual = by_default(found)
        return m.unknown(call.node, usual.reason if isinstance(usual, Unknown) else ON_DISK)
    return found


def _at(m: Machine, call: Call, path: Value, parse: Any, told: bool) -> Value:
    """What the file at a path holds; `told` says whether it is told where that is not there.

    Where the user chooses the path, it is what the file at the default holds if that is kept, else unknown.
    """
    path = m.see(path)

    def of(one: Value) -> Value:
        kept = {Cond(("eq", part.key, part.default), "default", part.origin): True for part in _chosen(one)}
        if any(decide(cond, m.root.path) is False for cond in kept):
            return _lost(m, ON_DISK)
        with m.assuming(kept):
            made = _of_file(m, call, by_default(one), parse, told and not kept and not isinstance(path, Choice))
        if isinstance(made, Unknown):
            return made
        for cond in kept:
            made = choose(cond, made, Unknown(f"read {ident(one)}", f"what the file holds that {cond.text} names"))
        return made

    return lift(m, path, of)


def _chosen(path: Value) -> list[Sym]:
    """What the user chooses of a path, which has a default."""
    match path:
        case Sym(default=usual) if usual is not None:
            return [path]
        case Text(parts):
            return [one for part in parts for one in _chosen(part)]
        case PathValue(text):
            return _chosen(text)
    return []


def _of_file(m: Machine, call: Call, path: Value, parse: Any, told: bool) -> Value:
    """What parsing the file at a path gives; `told` says whether it is told where that cannot be read."""
    found = project_file(m, path)
    if found is None:
        if _is_missing(m, path):
            name = "/".join(part for part in paths.path_key(m, m.see(path)) if not part.startswith("<"))
            return _unread(m, call, name, "is neither beside the script nor in the root of the project", told)
        return _lost(m, ON_DISK)
    source = m.project.source(found)
    return _parsed(m, call, found, None if source is None else source.text, parse)


class _Held(dict[tuple[Any, str], Any]):
    """What was parsed, by how and the text: what it holds, or what kept it from being parsed."""


def _held(parse: Any, text: str) -> Any:
    try:
        return parse(text)
    except (ImportError, ValueError) as error:
        return error


def _parsed(m: Machine, call: Call, found: str, text: str | None, parse: Any) -> Value:
    """What parsing a text gives, that of the file `found` of the project if there is one."""
    if text is None or len(text) > MAX_SIZE:
        return _lost(m, ON_DISK)
    known = m.world.of(_Held)
    if (parse, text) not in known:
        known[parse, text] = _held(parse, text)
    held = known[parse, text]
    if isinstance(held, ImportError):  # a Python that cannot read it
        return _lost(m, ON_DISK)
    if isinstance(held, ValueError):
        why = broken(held)
        if not found or m.catches(*_BROKEN):
            return _lost(m, f"{found or 'the text'} {why}")
        return _unread(m, call, found, why)
    count = [0]

    def build(value: Any, name: str) -> Value:
        count[0] += 1
        if count[0] > MAX_VALUES:  # a list of YAML may hold itself
            return Unknown(f"{found}::{name}", "a large file")
        if isinstance(value, dict) and all(isinstance(key, _PLAIN) for key in value):
            return containers.new_dict(m, [(Const(k), build(v, f"{name}.{k}")) for k, v in value.items()])
        if isinstance(value, list):
            return m.new_list([build(v, f"{name}[{i}]") for i, v in enumerate(value)])
        if isinstance(value, _PLAIN):
            return (
                Const(value) if not found else Sym(f"{found}::{name}", f"{name.lstrip('.')} of {found}", Const(value))
            )
        return Unknown(f"{found}::{name}", "a value of a settings file")

    made = build(held, "")
    return made if count[0] <= MAX_VALUES else _lost(m, "a large file")


@function("json.load", "json.loads")
def _json(m: Machine, call: Call) -> Value:
    if call.kwargs:
        return m.unknown(call.node, "JSON read in a way of its own")
    return settings(m, call, call.arg(0) or NONE, parse_json)


@function("tomllib.load", "tomllib.loads", "tomli.load", "tomli.loads")
def _toml(m: Machine, call: Call) -> Value:
    return settings(m, call, call.arg(0) or NONE, parse_toml)


_YAML_LOADERS = frozenset(
    {"yaml.SafeLoader", "yaml.CSafeLoader", "yaml.FullLoader", "yaml.Loader", "yaml.UnsafeLoader"}
)


@function("yaml.safe_load", "yaml.full_load", "yaml.unsafe_load", "yaml.load")
def _yaml(m: Machine, call: Call) -> Value:
    """The loaders differ in tags only, and a file with tags of its own is not followed."""
    loader = m.see(call.arg(1, "Loader") or Ref("yaml.SafeLoader"))
    if call.open or not isinstance(loader, Ref) or loader.name not in _YAML_LOADERS:
        return m.unknown(call.node, "YAML read in a way of its own")
    return settings(m, call, call.arg(0, "stream") or NONE, parse_yaml)

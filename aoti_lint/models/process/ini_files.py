"""`configparser`: sections and their entries, which are texts, read from a file of the project."""

from __future__ import annotations

from aoti_lint.language import calls
from aoti_lint.language.data import containers
from aoti_lint.language.tools import derive, opaque, slot
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, method
from aoti_lint.models.process.settings_files import settings, settings_at
from aoti_lint.models.python.containers.dicts import entry
from aoti_lint.source.settings.data import parse_ini
from aoti_lint.values.call import Call
from aoti_lint.values.identity import ident
from aoti_lint.values.values import NONE, Const, Obj, Ref, Unknown, Value

PARSER = "configparser.ConfigParser"
SECTION = "configparser.SectionProxy"
_BOOLEANS = {"1": True, "yes": True, "true": True, "on": True, "0": False, "no": False, "false": False, "off": False}
HELD = "#held"
"""The slot of a parser that holds its sections, and of a section that holds its entries."""

OWNER = "#owner"
"""The slot of a section that holds its parser."""


@function(PARSER, "configparser.RawConfigParser", "configparser.SafeConfigParser")
def _parser(m: Machine, call: Call) -> Value:
    """One that is told how to read is not followed."""
    return m.unknown(call.node, "a parser of its own way") if call.args or call.kwargs else opaque(m, PARSER)


def _read(m: Machine, parser: Value, held: Value) -> None:
    if isinstance(parser, Obj):
        several = slot(m, parser, HELD) != NONE
        lost = Unknown(f"u{m.fresh()}", "what several files hold together")
        m.store.write(parser.ident, HELD, lost if several else held)


@method(PARSER, "read")
def _read_path(m: Machine, call: Call, receiver: Value) -> Value:
    """A file that is not there is passed over without a word."""
    given = call.arg(0, "filenames") or NONE
    names = containers.items_of(m, given)
    if names is not None and not isinstance(m.see(given), Const):
        given = names[0] if len(names) == 1 else NONE
    _read(m, receiver, settings_at(m, call, given, parse_ini))
    return m.unknown(call.node, "the names of the files that were read")


@method(PARSER, "read_file", "read_string")
def _read_text(m: Machine, call: Call, receiver: Value) -> Value:
    _read(m, receiver, settings(m, call, call.arg(0, "f") or call.arg(None, "string") or NONE, parse_ini))
    return NONE


@method(PARSER, "read_dict", "set", "add_section", "remove_section", "remove_option", "__setitem__", "__delitem__")
def _changed(m: Machine, call: Call, receiver: Value) -> Value:
    lost = Unknown(f"u{m.fresh()}", "a parser that the script changes")
    for one in (receiver, slot(m, receiver, OWNER) if isinstance(receiver, Obj) else NONE):
        if isinstance(one, Obj):
            m.store.write(one.ident, HELD, lost)
    return NONE


method(SECTION, "__setitem__")(_changed)


def _entry(m: Machine, call: Call, owner: Value, key: Value, missing: Value | None = None) -> Value:
    """What a parser or a section holds under a key."""
    held = slot(m, owner, HELD) if isinstance(owner, Obj) else NONE

    def absent() -> Value:
        return m.unknown(call.node, "the key is not there") if missing is None else missing

    def of(one: Value) -> Value:
        if isinstance(one, Obj):
            return entry(m, call.node, one, key, absent)
        return Unknown(f"{ident(one)}[{ident(key)}]", one.reason if isinstance(one, Unknown) else "no file was read")

    return lift(m, held, of)


def _lower(m: Machine, key: Value | None) -> Value:
    """A key as a parser keeps it."""
    return lift(m, m.see(key or NONE), lambda one: derive(m, one, ".lower()", str.lower))


@method(PARSER, "__getitem__")
def _section(m: Machine, call: Call, receiver: Value) -> Value:
    made = opaque(m, SECTION)
    m.store.write(made.ident, HELD, _entry(m, call, receiver, m.see(call.args[0])))
    m.store.write(made.ident, OWNER, receiver)
    return made


def _text(m: Machine, call: Call, receiver: Value) -> Value:
    """The entry that a method of a parser (section, key) or of a section (key) is asked for."""
    fallback = call.arg(None, "fallback")
    if isinstance(receiver, Obj) and receiver.cls == Ref(SECTION):
        return _entry(m, call, receiver, _lower(m, call.arg(0, "option")), fallback or call.arg(1, "fallback", NONE))
    section = opaque(m, SECTION)
    m.store.write(section.ident, HELD, _entry(m, call, receiver, m.see(call.arg(0, "section") or NONE)))
    return _entry(m, call, section, _lower(m, call.arg(1, "option")), fallback)


@method(SECTION, "__getitem__")
def _item(m: Machine, call: Call, receiver: Value) -> Value:
    return _entry(m, call, receiver, _lower(m, call.args[0]))


def _getter(cls: str, name: str, convert: str) -> None:
    @method(cls, name)
    def model(m: Machine, call: Call, receiver: Value) -> Value:
        text = _text(m, call, receiver)
        return calls.call(m, Call(call.node, [text]), Ref(convert)) if convert else text


for _cls in (PARSER, SECTION):
    _getter(_cls, "get", "")
    _getter(_cls, "getint", "int")
    _getter(_cls, "getfloat", "float")
    _getter(_cls, "getboolean", "configparser.boolean()")


@function("configparser.boolean()")
def _boolean(m: Machine, call: Call) -> Value:
    """A text as `getboolean` reads it; a fallback is what it is."""

    def of(text: object) -> object:
        return _BOOLEANS[text.lower()] if isinstance(text, str) else text

    return lift(m, call.args[0], lambda one: derive(m, one, ".getboolean()", of))

"""Options of a command line: each is a symbol with its default and the values it can take."""

from __future__ import annotations

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.language import calls
from aoti_lint.language.data.paths import as_text
from aoti_lint.language.tools import raising_aside
from aoti_lint.lazily.dataclass import dataclass, field, replace
from aoti_lint.machine.machine import Machine
from aoti_lint.values.call import Call
from aoti_lint.values.choices import choose, leaves
from aoti_lint.values.conditions import Cond
from aoti_lint.values.values import FALSE, NONE, TRUE, Class, Const, Func, Obj, PathValue, Ref, Sym, Tup, Unknown, Value

PLAIN_TYPES = {"str": str, "int": int, "float": float, "complex": complex}


@dataclass(frozen=True, slots=True)
class Option(Value):
    """One option or argument of a parser or command.

    `default` is None where the user must give a value; `known` are the values it can take, where they are listed;
    `type` is what converts the text; `several` says that its value is a list. `action`, `const` and `nargs` are what
    `argparse` calls so.
    """

    dest: str
    label: str = field(compare=False, default="")
    default: Value | None = None
    known: tuple[Value, ...] = ()
    type: Value | None = None
    several: bool = False
    flags: tuple[str, ...] = field(compare=False, default=())
    """How the command line names it; none for an argument without a name."""
    action: str = field(compare=False, default="store")
    const: Value = field(compare=False, default=NONE)
    nargs: Value = field(compare=False, default=NONE)
    place: Span | None = field(compare=False, default=None)
    """Where it is declared."""


def script_of(m: Machine) -> str:
    """The file whose run this is: one module read by two scripts gives each its own options."""
    return m.root.name.split("::")[0]


def key_of(m: Machine, option: Option, group: str) -> str:
    """The key of the symbol that an option is."""
    return f"{script_of(m)}::{group}::{option.dest}"


def symbol(m: Machine, node: nodes.Node, option: Option, group: str) -> Value:
    """The value of an option in this run."""
    key = key_of(m, option, group)
    if isinstance(option.default, Sym) and option.default.default is not None:
        # The default is what a file of settings holds.
        option = replace(option, default=option.default.default)
    kind = option.type
    if option.several:
        if isinstance(option.default, Obj | Tup):
            # What is given in its place is another list.
            other = Unknown(f"{key} given", option.label)
            return choose(Cond(("eq", key, option.default), "default", option.label), option.default, other)
        return Sym(key, option.label, option.default)
    if kind is None or (isinstance(kind, Ref) and (kind.name in PLAIN_TYPES or kind.name == "bool")):
        convert = PLAIN_TYPES.get(kind.name) if isinstance(kind, Ref) else None
        default = _converted(option.default, convert)
        known = tuple(_converted(k, convert) or k for k in option.known)
        return Sym(key, option.label, default, known)
    if option.default == NONE:
        # Left out it is None, given it is converted.
        given = through(m, node, kind, Sym(key, option.label, None, option.known))
        if isinstance(given, PathValue):
            return choose(Cond(("eq", key, NONE), "default", option.label), NONE, given)
        return Sym(key, option.label, NONE)
    if isinstance(kind, Func):
        # What the user gives goes through the function too, but it is only followed for the default.
        default = option.default
        if isinstance(default, Const) and isinstance(default.value, str):
            default = through(m, node, kind, default)
        return Sym(key, option.label, default)
    if isinstance(kind, Class) and "enum" in kind.traits:
        return Sym(key, option.label, option.default, _members(m, kind))
    texts = [v for _, v in leaves(option.default)] if option.default is not None else []
    if option.default is not None and texts and all(isinstance(t, PathValue) for t in texts):
        return PathValue(Sym(key, option.label, as_text(m, option.default)))
    if not all(isinstance(t, Const) and isinstance(t.value, str) for t in texts):
        return Sym(key, option.label, option.default)
    return through(m, node, kind, Sym(key, option.label, option.default, option.known))


def _members(m: Machine, cls: Class) -> tuple[Value, ...]:
    return tuple(v for _, v in m.store.slots(cls.ident) if isinstance(v, Obj) and v.kind == "enum")


def _converted(value: Value | None, convert: type | None) -> Value | None:
    """A text default as its type makes it; anything else as it is."""
    if convert is not None and isinstance(value, Const) and isinstance(value.value, str):
        try:
            return Const(convert(value.value))
        except ValueError:
            return None
    return value


def through(m: Machine, node: nodes.Node, kind: Value, value: Value) -> Value:
    """What the type of an option makes of a value."""
    with raising_aside(m):
        return calls.call(m, Call(node, [value]), kind)


def truth_of(m: Machine, value: Value | None, default: bool = False) -> bool | None:
    """A flag of a declaration; None where it is not known."""
    if value is None:
        return default
    value = m.see(value)
    return bool(value.value) if isinstance(value, Const) else None


def pick_command(m: Machine, key: str, arms: list[tuple[str, Value]], otherwise: Value | None) -> Value:
    """The value that belongs to the command the user names; `otherwise` where none of them is named."""
    if not arms:
        return otherwise or Unknown(key, "no command")
    if otherwise is None:
        (_, otherwise), arms = arms[-1], arms[:-1]
    result = otherwise
    for name, value in reversed(arms):
        result = choose(Cond(("eq", key, Const(name)), "choice", "the command"), value, result)
    return result


def command_symbol(m: Machine, key: str, names: list[str]) -> Value:
    return Sym(key, "the command", None, tuple(Const(n) for n in names))


FLAG_VALUES = (TRUE, FALSE)

"""What an expression can be worth to the interpreter: the kinds of values that Python has.

Values are immutable; what changes over time (variables, attributes, list items, the device of a module) lives in the
`Store` under an object's identity. Two symbols or unknowns with the same key are the same value, whatever it is.
"""

from __future__ import annotations

from typing import NamedTuple

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.values.code import Code
from aoti_lint.values.conditions import Cond
from aoti_lint.values.meter import METER
from aoti_lint.values.sizes.symbols import Expr


class NodePlace(NamedTuple):
    """What a piece of code is known by: the path of its file, and the byte it begins at."""

    path: str
    start: int


class Value:
    """Base of all values."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class Const(Value):
    """A Python constant: None, bool, int, float, complex, str, bytes or Ellipsis."""

    value: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and type(self.value) is type(other.value) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self.value).__name__, self.value))


@dataclass(frozen=True, slots=True)
class Absent(Value):
    """No value: a name not yet bound on one branch, or deleted. There is one, also when it is read from a text."""

    def __new__(cls) -> Absent:
        return _ABSENT[0] if _ABSENT else object.__new__(cls)


_ABSENT: list[Absent] = []
ABSENT = Absent()
"""The one that there is."""
_ABSENT.append(ABSENT)
NONE = Const(None)
"""None of Python."""
TRUE = Const(True)
"""True of Python."""
FALSE = Const(False)
"""False of Python."""


@dataclass(frozen=True, slots=True)
class Sym(Value):
    """A value the user or the machine chooses: an option, a variable of the environment, a parameter.

    `default` is what it is if nobody chooses; `known` are all values it can take, where they are listed. `function` is
    the one that it is a parameter of, where nobody in the project calls that.
    """

    key: str
    origin: str = field(default="", compare=False)
    default: Value | None = field(default=None, compare=False)
    known: tuple[Value, ...] = field(default=(), compare=False)
    function: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Unknown(Value):
    """A value we lost, and why. The key is its identity: asking it the same question twice gives one answer."""

    key: str
    reason: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Size(Unknown):
    """A number worked out of sizes that are open (see `symbols`), while a fake function or a kernel is tried."""

    expr: Expr = field(default=Expr("const", 0), compare=False)


@dataclass(frozen=True, slots=True)
class Choice(Value):
    """`then` where `cond` holds, `other` where not."""

    cond: Cond
    then: Value
    other: Value

    def __hash__(self) -> int:
        METER.spend()
        return hash((self.cond, self.then, self.other))


@dataclass(frozen=True, slots=True)
class Text(Value):
    """A string put together from known and unknown parts."""

    parts: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class PathValue(Value):
    """A `pathlib` path; `text` is what `str()` of it gives."""

    text: Value


@dataclass(frozen=True, slots=True)
class Tup(Value):
    """A tuple of known length. `fields` are the names of a named tuple, `cls` its class."""

    items: tuple[Value, ...]
    fields: tuple[str, ...] = ()
    cls: Value | None = None

    def __hash__(self) -> int:
        METER.spend()
        return hash((self.items, self.fields, self.cls))


@dataclass(frozen=True, slots=True)
class Many(Value):
    """The items of a container that holds many alike items: `count` of them, or a number that is not known."""

    element: Value
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Pairs(Value):
    """The items of a dict."""

    pairs: tuple[tuple[Value, Value], ...]


@dataclass(frozen=True, slots=True)
class SliceValue(Value):
    lower: Value
    upper: Value
    step: Value


@dataclass(frozen=True, slots=True)
class Ref(Value):
    """Something outside the project, by its qualified name: `torch.export.export`, `os.path.join`, `len`."""

    name: str


@dataclass(frozen=True, slots=True)
class Namespace(Value):
    """A module of the project. Its names live in the store under `ident`."""

    path: str
    ident: int


@dataclass(frozen=True, slots=True)
class Begun(Value):
    """That a module of torch was imported, by `action`: an import, an attribute or a call (see `torch_api.moments`)."""

    action: str
    span: Span = field(compare=False)
    chain: tuple[Span, ...] = field(compare=False, default=())


@dataclass(frozen=True, slots=True)
class Compilation(Value):
    """One call of `torch.compile`, with its keywords as they were given."""

    ident: int
    span: Span = field(compare=False)
    kwargs: tuple[tuple[str, Value], ...] = field(compare=False, default=())

    def option(self, name: str) -> Value:
        """The keyword of that name, None where it was not given."""
        return dict(self.kwargs).get(name, NONE)


@dataclass(frozen=True, slots=True)
class Obj(Value):
    """Something with an identity: an instance, a list, a dict, a set. Its parts live in the store under `ident`.

    `kind`: `instance`, `list`, `dict`, `set`, `module` (a built-in `torch.nn` module) or `object`.
    `cls` is the class (`Class` or `Ref`).
    """

    ident: int
    kind: str = field(compare=False)
    cls: Value | None = field(default=None, compare=False)
    compiled: Compilation | None = None
    """Set where it is the same module as seen through `torch.compile`."""


@dataclass(frozen=True, slots=True)
class Func(Value):
    """A function or lambda of the project with the frames it closes over, innermost first; `node` is its definition."""

    ident: int
    code: Code[nodes.FunctionDef | nodes.Lambda] = field(compare=False, repr=False)
    module: Namespace = field(compare=False)
    scopes: tuple[int, ...] = field(compare=False)
    qualname: str = field(compare=False)
    defaults: dict[str, Value] = field(compare=False, default_factory=dict)
    owner: Class | None = field(compare=False, default=None)
    role: str = field(compare=False, default="")
    """`static`, `class`, `property`, `cached property`, `cached`, `context` (a `contextlib.contextmanager`), empty."""
    runs_if: Value = field(compare=False, default=Const(True))
    """The truth under which a test runs that is skipped otherwise."""
    may_fail: bool = field(compare=False, default=False)
    """A test that is expected to fail."""
    private: str = field(compare=False, default="")
    """The class whose private names (`__x`) it means by them."""
    compiled: Compilation | None = None
    """Set where it is the function as `torch.compile` gave it."""

    @property
    def node(self) -> nodes.FunctionDef | nodes.Lambda:
        """Its definition."""
        return self.code.node

    @property
    def place(self) -> NodePlace:
        """What its code is known by."""
        return NodePlace(self.module.path, self.code.start)

    @property
    def name(self) -> str:
        return self.qualname.rsplit(".", 1)[-1]


@dataclass(frozen=True, slots=True)
class Class(Value):
    """A class of the project; `node` is its definition. Its attributes live in the store under `ident`."""

    ident: int
    code: Code[nodes.ClassDef] = field(compare=False, repr=False)
    module: Namespace = field(compare=False)
    qualname: str = field(compare=False)
    bases: tuple[Value, ...] = field(compare=False, default=())
    traits: frozenset[str] = field(compare=False, default=frozenset())
    """`dataclass`, `namedtuple`, `enum`."""
    runs_if: Value = field(compare=False, default=Const(True))
    """The truth under which its tests run that are skipped otherwise."""

    @property
    def node(self) -> nodes.ClassDef:
        """Its definition."""
        return self.code.node

    @property
    def place(self) -> NodePlace:
        """What its code is known by."""
        return NodePlace(self.module.path, self.code.start)

    @property
    def name(self) -> str:
        return self.qualname.rsplit(".", 1)[-1]


@dataclass(frozen=True, slots=True)
class Bound(Value):
    """`receiver.name` where the method is a project function (`func`) or one we have a model of (`func` None)."""

    receiver: Value
    name: str
    func: Func | None = None


@dataclass(frozen=True, slots=True)
class Partial(Value):
    func: Value
    args: tuple[Value, ...]
    kwargs: tuple[tuple[str, Value], ...]

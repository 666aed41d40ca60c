"""What an expression can be worth to the interpreter.

Values are immutable; what changes over time (variables, attributes, list items, the device of a module) lives in the
`Store` under an object's identity. Two symbols or unknowns with the same key are the same value, whatever it is.

It is one table of the kinds of values, with the few operations that are told apart by kind and that every module needs
with them: making a choice, its alternatives, the identity of a value.
"""

from __future__ import annotations

from typing import NamedTuple

from aoti_lint.diagnostics import Span
from aoti_lint.files.cache import content_hash
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass, field
from aoti_lint.values.code import Code
from aoti_lint.values.conditions import Cond, Path, decide
from aoti_lint.values.meter import METER
from aoti_lint.values.symbols import Expr

MAX_LEAVES = 12
"""Alternatives one value may have before it becomes unknown."""


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
    """The items of a container that holds an unknown number of alike items."""

    element: Value


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


# ---------------------------------------------------------------- torch


@dataclass(frozen=True, slots=True)
class Device(Value):
    """A device of a known type; `index` is None where none was given."""

    type: str
    index: int | None = None

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"


@dataclass(frozen=True, slots=True)
class Tensor(Value):
    """A tensor: sizes (`shape` None if the rank is unknown), dtype by name, device.

    `key` is the identity of the tensor object, for marks such as `mark_dynamic`. `role` is `parameter`, `buffer` or
    empty; `span` is where it was made or its device was last chosen. `strides` are those of its dimensions, as far as
    they are known.
    """

    key: str
    device: Value
    shape: tuple[Value, ...] | None = None
    dtype: str | None = None
    role: str = ""
    span: Span | None = field(default=None, compare=False)
    strides: tuple[int | None, ...] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Mixed(Value):
    """The devices of something that lives on several."""

    devices: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class DimValue(Value):
    """A dimension spec: `kind` is `named`, `derived`, `AUTO`, `DYNAMIC` or `STATIC`; bounds are None when not given.

    A derived one is `scale * root + offset`; `root` is None where that is not known.
    """

    kind: str
    name: str = ""
    min: Value = NONE
    max: Value = NONE
    span: Span | None = field(default=None, compare=False)
    root: DimValue | None = None
    scale: int = 1
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Program(Value):
    """An exported program.

    `args` and `kwargs` are the example inputs, `spec` the `dynamic_shapes`. `device` is the device type its parameters
    and inputs live on: a device, a choice, `Mixed`, or unknown. `api` is the function that made it, `rewritten` says
    that a pass may have changed it since.
    """

    ident: int
    span: Span = field(compare=False)
    api: str = field(compare=False)
    model: Value = field(compare=False)
    args: Value = field(compare=False)
    kwargs: Value = field(compare=False)
    spec: Value = field(compare=False)
    strict: Value = field(compare=False)
    device: Value = field(compare=False)
    path: Path = field(compare=False)
    chain: tuple[Span, ...] = field(compare=False, default=())
    marks: tuple[tuple[str, Value], ...] = field(compare=False, default=())
    """What `mark_dynamic` and the like said of example tensors before the export: tensor key, dims."""
    handed: bool = field(compare=False, default=False)
    """Its model was given to code that is not followed, which may have put another forward in its place."""
    strays: tuple[Span, ...] = field(compare=False, default=())
    """Where tensors were made that a collection of shapes speaks of, and that surely are none of the inputs."""
    signature: tuple[str, ...] | None = field(compare=False, default=None)
    """Names of the parameters of the exported forward, in order, where the model is known."""
    parameters: tuple[tuple[str, str], ...] | None = field(compare=False, default=None)
    """Its parameters with their kinds (see `nodes.Param`), also where there is `*args`; None if they are not known."""
    defaults: tuple[tuple[str, Value], ...] = field(compare=False, default=())
    """What those of its parameters are that have a default."""
    mentioned: tuple[tuple[str, bool], ...] = field(compare=False, default=())
    """The names that its forward mentions, and whether it calculates with them; empty where that is not known."""
    layers: tuple[tuple[str, str], ...] = field(compare=False, default=())
    """The inputs that its forward hands to built-in layers, with the classes of these, as far as that is known."""
    ops: tuple[tuple[str, Span], ...] = field(compare=False, default=())
    """Custom ops its forward calls, with the place of the call."""
    kernels: tuple[tuple[str, Span], ...] = field(compare=False, default=())
    """Triton kernels its forward launches itself, whatever is asked, with the place of the launch."""
    oblivious: bool = field(compare=False, default=False)
    """Exported under `backed_size_oblivious`."""
    autocasts: tuple[Value, ...] = field(compare=False, default=())
    """The autocasts around the export, the outermost first."""
    castable: bool | None = field(compare=False, default=None)
    """Whether the model has layers in float32 that autocast computes in lower precision; None if that is not known."""
    rewritten: bool = field(compare=False, default=False)
    holds: frozenset[str] | None = field(compare=False, default=None)
    """What its model surely has of `parameter` and `buffer`; None where it is not known whether it has any."""
    names: Value = field(compare=False, default=NONE)
    """The names of its weights, as `models.weight_names` has them."""
    lacks: frozenset[str] = field(compare=False, default=frozenset())
    """What its model surely has and its module has not: methods, and attributes that are numbers or texts."""
    read: frozenset[tuple[int, str]] = field(compare=False, default=frozenset())
    """The attributes its forward reads, of the model and of what that holds: their owners' identities, and names."""
    through: Value | None = field(compare=False, default=None)
    """What a backward pass from its output comes through."""
    outputs: Value = field(compare=False, default=NONE)
    """What its forward gives for the example inputs; `NONE` where that is not known."""
    unnamed: tuple[tuple[str, str, str], ...] = field(compare=False, default=())
    """What of its inputs and outputs torch cannot write down: how it is reached, its class, what it is."""
    plain: tuple[str, ...] = field(compare=False, default=())
    """The Python types of its outputs that are numbers, texts and the like."""

    @property
    def is_draft(self) -> bool:
        """Whether `draft_export` made it, which goes on where others raise and reports it."""
        return self.api.endswith(".draft_export")


@dataclass(frozen=True, slots=True)
class ProgramModule(Value):
    """What `ExportedProgram.module()` gives: callable, with guards on its inputs."""

    program: Value
    ident: int = field(compare=False, default=0)


@dataclass(frozen=True, slots=True)
class OnnxModel(Value):
    """What an export to ONNX gives, or a session of onnxruntime that runs what it wrote."""

    program: Program
    ident: int = field(compare=False)
    names: Value = field(compare=False, default=NONE)
    """What `input_names` says, frozen."""
    session: bool = False
    """Whether it is a session of onnxruntime."""


@dataclass(frozen=True, slots=True)
class FileName(Value):
    """The name of a file: as it was given, and normalised as the script sees it (`key`) and with every option at its
    default (`usual`)."""

    given: Value
    key: tuple[str, ...] = ()
    usual: tuple[str, ...] = ()


NO_FILE = FileName(NONE)
"""Where no file is named."""


@dataclass(frozen=True, slots=True)
class Package(Value):
    """A compiled artefact: `kind` is `pt2` or `so`. `program` is what was compiled, `device` what it was compiled for.

    Worth the path string where Python would see one.
    """

    ident: int
    span: Span = field(compare=False)
    api: str = field(compare=False)
    kind: str = field(compare=False)
    program: Value = field(compare=False)
    device: Value = field(compare=False)
    file: FileName = field(compare=False)
    path: Path = field(compare=False)
    chain: tuple[Span, ...] = field(compare=False, default=())
    autocasts: tuple[Value, ...] = field(compare=False, default=())
    """The autocasts around the compile, the outermost first."""


@dataclass(frozen=True, slots=True)
class Loaded(Value):
    """A loaded artefact. `package` is the `Package` (or a choice of them) where the same run made it, else None."""

    ident: int
    span: Span = field(compare=False)
    api: str = field(compare=False)
    file: FileName = field(compare=False)
    device: Value | None = field(compare=False)
    package: Value | None = field(compare=False)
    path: Path = field(compare=False)
    chain: tuple[Span, ...] = field(compare=False, default=())
    model: Value | None = field(compare=False, default=None)
    """The name of the model that is asked for; None where the loader asks for none."""
    index: Value = field(compare=False, default=NONE)
    """`device_index`; `NONE` where it is not given."""
    current: Value = field(compare=False, default=NONE)
    """The current GPU when it was loaded; `NONE` where nothing chose one."""


@dataclass(frozen=True, slots=True)
class LoadedProgram(Value):
    """What `torch.export.load` gives when the program was saved by another run: found later, by its file."""

    ident: int
    span: Span = field(compare=False)
    file: FileName = field(compare=False)
    path: Path = field(compare=False)
    moves: tuple[tuple[Value, Value], ...] = field(compare=False, default=())
    """What `move_to_device_pass` did to it since: from which device (`NONE`: from any) to which."""


# ---------------------------------------------------------------- choices


def choose(cond: Cond, then: Value, other: Value) -> Value:
    """`Choice`, without the arms `cond` itself rules out, and unknown when it would grow too large."""
    then, other = restrict(then, cond, True), restrict(other, cond, False)
    if then == other:
        return then
    made = Choice(cond, then, other)
    if (type(then) is Choice or type(other) is Choice) and count_leaves(made) > MAX_LEAVES:
        return Unknown(f"many:{cond.key!r}:{ident(then)[:80]}", "it has too many alternatives to follow")
    return made


def either(cond: Cond, then: Value, other: Value) -> Value:
    """`choose` for what a container holds: entries under the same keys are chosen one by one."""
    if isinstance(then, Pairs) and isinstance(other, Pairs):
        both = list(zip(then.pairs, other.pairs, strict=False))
        if len(then.pairs) == len(other.pairs) and all(a == b for (a, _), (b, _) in both):
            return Pairs(tuple((key, choose(cond, a, b)) for (key, a), (_, b) in both))
    return choose(cond, then, other)


def restrict(value: Value, cond: Cond, answer: bool) -> Value:
    """`value` where `cond` is `answer`."""
    return _restrict(value, {cond: answer}) if type(value) is Choice else value


def _restrict(value: Value, path: Path) -> Value:
    if type(value) is not Choice:
        return value
    METER.spend()
    known = decide(value.cond, path)
    if known is not None:
        return _restrict(value.then if known else value.other, path)
    then, other = _restrict(value.then, path), _restrict(value.other, path)
    if then is value.then and other is value.other:
        return value
    return then if then == other else Choice(value.cond, then, other)


def under(value: Value, path: Path) -> Value:
    """`value` as far as `path` decides it; only a kind in `DECIDABLE` can become another value."""
    while type(value) is Choice:
        known = decide(value.cond, path)
        if known is None:
            then, other = value.then, value.other
            if type(then) in DECIDABLE:
                then = under(then, {**path, value.cond: True})
            if type(other) in DECIDABLE:
                other = under(other, {**path, value.cond: False})
            if then is value.then and other is value.other:
                return value
            return then if then == other else Choice(value.cond, then, other)
        value = value.then if known else value.other
    if type(value) is Sym and path:
        for cond, answer in path.items():
            if answer and cond.key[0] == "eq" and cond.key[1] == value.key and isinstance(cond.key[2], Value):
                return cond.key[2]
    return value


DECIDABLE = frozenset({Choice, Sym})
"""Kinds of values that what is assumed can make another value of."""


def count_leaves(value: Value) -> int:
    return count_leaves(value.then) + count_leaves(value.other) if type(value) is Choice else 1


def leaves(value: Value, path: Path | None = None) -> list[tuple[dict[Cond, bool], Value]]:
    """All alternatives of `value` with the literals each stands under, consistent with `path`."""
    start = dict(path or {})
    if not isinstance(value, Choice):
        return [(start, under(value, start))]
    known = decide(value.cond, start)
    found: list[tuple[dict[Cond, bool], Value]] = []
    for answer, arm in ((True, value.then), (False, value.other)):
        if known is None or known == answer:
            found += leaves(arm, {**start, value.cond: answer})
    return found


MAX_IDENT = 240


def ident(value: Value) -> str:
    """A stable text that is the same for two values exactly if they are known to be the same."""
    METER.spend()
    full = _ident(value)
    if len(full) <= MAX_IDENT:
        return full
    # Identities are put together from identities: without a bound they would double with every operator.
    return f"{full[:80]}…{content_hash(full.encode('utf-8', 'surrogatepass'))}"


def _ident(value: Value) -> str:
    match value:
        case Const(v):
            return repr(v)
        case Sym(key) | Unknown(key):
            return f"<{key}>"
        case Choice(cond, then, other):
            return f"({cond.key!r}?{ident(then)}:{ident(other)})"
        case Text(parts):
            return "+".join(ident(p) for p in parts)
        case PathValue(text):
            return ident(text)
        case Tup(items):
            return f"({','.join(ident(i) for i in items)})"
        case Ref(name):
            return name
        case Device():
            return f"device:{value}"
        case Tensor(key):
            return f"tensor:{key}"
        case Namespace(path):
            return f"module:{path}"
        case Bound(receiver, name):
            return f"{ident(receiver)}.{name}"
        case Partial(func, args, kwargs):
            return (
                f"partial:{ident(func)}({','.join(map(ident, args))};{','.join(k + '=' + ident(v) for k, v in kwargs)})"
            )
        case Pairs(pairs):
            return f"{{{','.join(ident(k) + ':' + ident(v) for k, v in pairs)}}}"
        case Many(element):
            return f"*{ident(element)}"
        case Obj(number) | Func(number) | Class(number) | Program(number) | Package(number) | Loaded(number):
            return f"{type(value).__name__}#{number}"
        case _:
            return repr(value)


def expr_of(value: Value) -> Expr:
    """A number as an expression of open sizes."""
    if isinstance(value, Size):
        return value.expr
    if isinstance(value, Const) and isinstance(value.value, int | float):
        return Expr("const", value.value)
    return Expr("other", ident(value))


def combined(op: str, *values: Value) -> Value:
    """`op` of numbers of which one is an open size: the same size for the same operands."""
    return Size(f"{op}({','.join(map(ident, values))})", "a size", Expr(op, *map(expr_of, values)))


def is_known(value: Value) -> bool:
    """Whether every alternative of `value` is something definite."""
    if isinstance(value, Choice):
        return is_known(value.then) and is_known(value.other)
    return not isinstance(value, Unknown | Sym)

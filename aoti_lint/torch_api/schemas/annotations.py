"""The schema that torch makes of a Python function's annotations, for `torch.library.custom_op` and `infer_schema`.

Sources: `torch/_library/infer_schema.py` of releases 2.4.1 to 2.15.0; run on torch 2.13. `int` becomes `SymInt`. Since
2.5 annotations may be strings (all are under `from __future__ import annotations`) and defaults may be texts, dtypes
and devices; since 2.7 `list[T]` and `collections.abc.Sequence[T]` are taken besides `typing.List[T]`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import EllipsisType

from aoti_lint.diagnostics import Span
from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass
from aoti_lint.torch_api.schemas.schema import Argument, Schema
from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

NOWHERE = VersionSet()
STRINGS = VersionSet.since("2.5")
BUILTIN_LISTS = VersionSet.since("2.7")

CANONICAL = {
    "torch.Tensor": "Tensor", "torch._tensor.Tensor": "Tensor", "torch.types.Tensor": "Tensor",
    "torch.dtype": "dtype", "torch.types._dtype": "dtype", "torch.device": "device", "torch.types._device": "device",
    "torch.types._int": "int", "torch.types._float": "float", "torch.types._bool": "bool",
    "torch.types.Number": "Number", "typing.Optional": "Optional", "typing.Union": "Union", "typing.List": "List",
    "typing.Sequence": "Sequence", "list": "list", "collections.abc.Sequence": "sequence", "typing.Tuple": "tuple",
}  # fmt: skip
"""What names of types are worth in an annotation."""
LISTS = {"List": SUPPORTED, "Sequence": SUPPORTED, "list": BUILTIN_LISTS, "sequence": BUILTIN_LISTS}
"""The releases that take each kind of list, as a parameter."""
REFUSED = frozenset({
    "dict", "set", "frozenset", "object", "complex", "bytes", "range", "slice", "type", "typing.Any", "typing.Callable",
    "collections.abc.Callable", "typing.Dict", "typing.Iterable", "collections.abc.Iterable", "typing.Mapping",
    "typing.Set", "typing.Literal", "typing.Annotated", "torch.Size", "torch.SymInt", "torch.SymFloat", "torch.SymBool",
    "torch.layout", "torch.memory_format", "torch.nn.Module", "torch.nn.Parameter", "torch.Stream", "numpy.ndarray",
    "torch.nn.parameter.Parameter", "torch.types.Device", "torch.types._size", "collections.abc.Mapping",
    "pathlib.Path",
})  # fmt: skip
"""Types that no release takes."""
BASES = {
    "Tensor": ("Tensor", "[]", "?[]"), "int": ("SymInt", "[]", "[]?"), "float": ("float", "[]", "[]?"),
    "bool": ("bool", "[]", "[]?"), "str": ("str",), "Number": ("Scalar", "[]"), "dtype": ("ScalarType",),
    "device": ("Device",),
}  # fmt: skip
"""The schema type of each type, and the lists it may stand in besides being optional."""
RETURNS = {"Tensor": "Tensor", "int": "SymInt", "float": "float", "bool": "bool", "Number": "Scalar"}


@dataclass(frozen=True, slots=True)
class Kind:
    """A type as an annotation says it. `name` is "?" where it is not known."""

    name: str
    args: tuple[Kind, ...] = ()

    @property
    def known(self) -> bool:
        return self.name != "?" and all(arg.known for arg in self.args)


UNKNOWN = Kind("?")
NOTHING = Kind("None")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something for which torch refuses to make a schema: in releases `failing`, saying `message`.

    It stands at `span`; of a function that is its name.
    """

    span: Span
    message: str
    failing: VersionSet


@dataclass(frozen=True, slots=True)
class Inferred:
    """The schema of a function, and why torch refuses to make it. Types that are not known are empty.

    `returns` is None where what it returns is not known.
    """

    arguments: tuple[Argument, ...]
    returns: tuple[Argument, ...] | None
    faults: tuple[Fault, ...]

    def schema(self, name: str) -> Schema | None:
        """The whole as the schema of `ns::op`; None where what it returns is not known."""
        base, _, overload = name.partition(".")
        return None if self.returns is None else Schema(base, overload, self.arguments, self.returns)


class _Faults:
    """What is found wrong with a function of this file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.found: list[Fault] = []

    def add(self, node: nodes.Node, message: str, failing: VersionSet) -> None:
        start, end = node.start, node.end
        if isinstance(node, nodes.FunctionDef):
            start, end = node.name_start, node.name_start + len(node.name.encode())
        self.found.append(Fault(Span(self._path, start, end), message, failing))


Resolve = Callable[[nodes.Expr], str]
"""The qualified name that a name or attribute in an annotation means (`torch.Tensor`, `int`); empty if not known."""


def infer(
    node: nodes.FunctionDef,
    path: str,
    resolve: Resolve,
    mutates: frozenset[str] | None = frozenset(),
    *,
    strings: bool = False,
) -> Inferred:
    """What `infer_schema` makes of a function in the file at `path`.

    `mutates` are the names in `mutates_args`, None where these are not known or "unknown". `strings` says that all
    annotations are strings (`from __future__ import annotations`).
    """
    faults = _Faults(path)
    arguments: list[Argument] = []
    for param in node.params:
        if param.kind in ("pos", "var", "kwvar"):
            said = "positional-only args, varargs, or varkwargs"
            faults.add(param, f"We do not support {said}.", SUPPORTED)
            continue
        changed = mutates is not None and param.name in mutates
        kind = _parameter(param, resolve, faults, strings)
        if changed and kind and not kind.startswith("Tensor"):
            said = "is in mutable_args but only Tensors or collections of Tensors can be mutated"
            faults.add(param, f"Parameter {param.name} {said}", SUPPORTED)
        default = None if param.default is None else _default(param, param.default, faults)
        arguments.append(Argument(param.name, kind, "", changed, default, param.kind == "kw"))
    for name in sorted((mutates or frozenset()) - {param.name for param in node.params}):
        said = "in mutates_args were not found in the custom op's signature."
        faults.add(node, f"{{{name!r}}} {said}", SUPPORTED)
    return Inferred(tuple(arguments), _returned(node, resolve, faults, strings), tuple(faults.found))


def _parameter(param: nodes.Param, resolve: Resolve, faults: _Faults, strings: bool) -> str:
    """The schema type of a parameter, empty where it is not known or torch takes none such."""
    if param.annotation is None:
        faults.add(param, f"Parameter {param.name} must have a type annotation.", SUPPORTED)
        return ""
    kind, quoted = kind_of(param.annotation, resolve)
    if not kind.known:
        return ""
    text, taken = schema_type(kind)
    taken &= STRINGS if strings or quoted else SUPPORTED
    if taken != SUPPORTED:
        said = f"Parameter {param.name} has unsupported type {shown(kind)}."
        faults.add(param.annotation, said, SUPPORTED - taken)
    return text


def _returned(node: nodes.FunctionDef, resolve: Resolve, faults: _Faults, strings: bool) -> tuple[Argument, ...] | None:
    if node.returns is None:
        faults.add(node, "No return type annotation was provided. Please add one.", SUPPORTED)
        return None
    kind, quoted = kind_of(node.returns, resolve)
    if not kind.known:
        return None
    parts = [_return_type(one) for one in (kind.args if kind.name == "tuple" else (kind,))]
    if kind == NOTHING:
        parts = []
    taken = STRINGS if strings or quoted else SUPPORTED
    for _, releases in parts:
        taken &= releases
    if kind.name == "tuple" and not kind.args:
        taken = NOWHERE
    if taken != SUPPORTED:
        faults.add(node.returns, f"Return has unsupported type {shown(kind)}.", SUPPORTED - taken)
    return tuple(Argument("", text, offset=index) for index, (text, _) in enumerate(parts))


def _return_type(kind: Kind) -> tuple[str, VersionSet]:
    if kind.name in ("List", "list") and kind.args == (Kind("Tensor"),):
        return "Tensor[]", LISTS[kind.name]
    text = RETURNS.get(kind.name, "")
    return text, SUPPORTED if text else NOWHERE


def schema_type(kind: Kind) -> tuple[str, VersionSet]:
    """The type in a schema for a parameter of this type, and the releases that take it: none for what none takes."""
    optional = kind.name == "Union" and NOTHING in kind.args
    inner = union(*(arg for arg in kind.args if arg != NOTHING)) if optional else kind
    taken = SUPPORTED
    if inner.name in LISTS and len(inner.args) == 1:
        taken = LISTS[inner.name]
        element = inner.args[0]
        nullable = element.name == "Union" and NOTHING in element.args
        element = union(*(arg for arg in element.args if arg != NOTHING)) if nullable else element
        suffix = "?[]" if nullable else "[]"
        form = f"{suffix}?" if optional else suffix
    else:
        element, suffix, form = inner, "", "?" if optional else ""
    base = BASES.get(element.name)
    if base is None or (suffix and form not in base[1:]):
        return "", NOWHERE
    return base[0] + form, taken


def union(*kinds: Kind) -> Kind:
    """The union of types as Python makes it: flat, each once; that of int, float and bool is torch's `Number`."""
    flat: dict[Kind, None] = {}
    for kind in kinds:
        inside = NUMBER if kind.name == "Number" else kind.args if kind.name == "Union" else (kind,)
        flat.update(dict.fromkeys(inside))
    rest = [kind for kind in flat if kind not in NUMBER]
    if len(flat) - len(rest) == len(NUMBER):
        flat = dict.fromkeys([Kind("Number"), *rest])
    return next(iter(flat)) if len(flat) == 1 else Kind("Union", tuple(flat))


NUMBER = (Kind("int"), Kind("float"), Kind("bool"))


def kind_of(node: nodes.Expr, resolve: Resolve) -> tuple[Kind, bool]:
    """The type that an annotation says, and whether part of it is a string."""
    quoted = False

    def read(one: nodes.Expr) -> Kind:
        nonlocal quoted
        match one:
            case nodes.Const(value=None):
                return NOTHING
            case nodes.Const(value=str() as text):
                quoted = True
                parsed = _parsed(text)
                return read(parsed) if parsed is not None else UNKNOWN
            case nodes.Name() | nodes.Attr():
                return _named(one, resolve(one))
            case nodes.Bin(op="|", left=left, right=right):
                return union(read(left), read(right))
            case nodes.Sub(base=base, index=index):
                return inside(read(base), index)
        return UNKNOWN

    def inside(base: Kind, index: nodes.Expr) -> Kind:
        items = index.items if isinstance(index, nodes.Seq) and index.kind == "tuple" else [index]
        if base.name in ("Literal", "Annotated", "typing.Literal", "typing.Annotated"):
            return base
        if base.name == "tuple":
            rest = next((item for item in items if isinstance(item, nodes.Const) and item.value is ...), None)
            return Kind(
                "tuple[…]" if rest is not None else "tuple", tuple(read(item) for item in items if item is not rest)
            )
        args = tuple(read(item) for item in items)
        if base.name == "Optional":
            return union(*args, NOTHING)
        return union(*args) if base.name == "Union" else Kind(base.name, args)

    return read(node), quoted


def _named(node: nodes.Name | nodes.Attr, name: str) -> Kind:
    canonical = CANONICAL.get(name, name)
    said = node.id if isinstance(node, nodes.Name) else node.name
    if canonical in (*LISTS, "Optional", "Union") and said != name.rpartition(".")[2]:
        return UNKNOWN  # a name for what a generic makes: `Sizes = List[int]`
    if canonical in BASES or canonical in (*LISTS, "tuple", "Optional", "Union") or canonical in REFUSED:
        return Kind(canonical)
    return Kind("None type") if canonical in ("NoneType", "types.NoneType") else UNKNOWN


def _parsed(text: str) -> nodes.Expr | None:
    """A string annotation as nodes (their places mean nothing); None for what no type looks like."""

    def make(tree: ast.expr) -> nodes.Expr | None:
        match tree:
            case ast.Constant(value=None | str() | EllipsisType() as value):
                return nodes.Const(0, 0, value)
            case ast.Name(id=name):
                return nodes.Name(0, 0, name)
            case ast.Attribute(value=base, attr=name):
                owner = make(base)
                return None if owner is None else nodes.Attr(0, 0, owner, name)
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                one, other = make(left), make(right)
                return None if one is None or other is None else nodes.Bin(0, 0, "|", one, other)
            case ast.Subscript(value=base, slice=index):
                owner, inside = make(base), make(index)
                return None if owner is None or inside is None else nodes.Sub(0, 0, owner, inside)
            case ast.Tuple(elts=elements):
                items = [item for element in elements if (item := make(element)) is not None]
                return nodes.Seq(0, 0, "tuple", items) if len(items) == len(elements) else None
        return None

    try:
        return make(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return None


def _default(param: nodes.Param, default: nodes.Expr, faults: _Faults) -> str:
    """The text of a default, `?` where it is not a constant."""
    if isinstance(default, nodes.Const) and not isinstance(default.value, bytes | complex | EllipsisType):
        if isinstance(default.value, str):
            said = f"Parameter {param.name} has an unsupported default value"
            faults.add(default, said, SUPPORTED - STRINGS)
        return repr(default.value)
    if isinstance(default, nodes.Seq | nodes.DictDisplay | nodes.Comp | nodes.Lambda | nodes.Const):
        said = f"Parameter {param.name} has an unsupported default value type"
        faults.add(default, said, SUPPORTED)
    return "?"


WRITTEN = {
    "Tensor": "torch.Tensor", "None type": "NoneType", "dtype": "torch.dtype", "device": "torch.device",
    "sequence": "Sequence",
}  # fmt: skip


def shown(kind: Kind) -> str:
    """A type as a person writes it."""
    if kind.name == "Union":
        return " | ".join(shown(arg) for arg in kind.args)
    if kind.name == "tuple[…]":
        return f"tuple[{', '.join(map(shown, kind.args))}, ...]"
    name = WRITTEN.get(kind.name, kind.name)
    return f"{name}[{', '.join(shown(arg) for arg in kind.args)}]" if kind.args else name

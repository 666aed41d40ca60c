"""`isinstance`: what is known of the type of a value."""

from __future__ import annotations

from aoti_lint.ir import nodes
from aoti_lint.language import access
from aoti_lint.language.classes import layer_classes, modules, protocols
from aoti_lint.language.data import containers
from aoti_lint.language.effects import api_calls
from aoti_lint.language.truths import ask
from aoti_lint.machine import hooks
from aoti_lint.machine.alternatives import lift
from aoti_lint.machine.machine import Machine
from aoti_lint.machine.tables import function, operator
from aoti_lint.models.tensors.tensor_base import is_dtype
from aoti_lint.models.torch import compiling
from aoti_lint.torch_api.dtypes import CLASSES
from aoti_lint.values.call import Call
from aoti_lint.values.conditions import Cond, option_kind
from aoti_lint.values.identity import ident
from aoti_lint.values.torch_values import Device, Loaded, LoadedProgram, Program, ProgramModule, Tensor
from aoti_lint.values.values import (
    FALSE,
    NONE,
    TRUE,
    Choice,
    Class,
    Const,
    Func,
    Obj,
    Pairs,
    PathValue,
    Ref,
    Sym,
    Text,
    Tup,
    Unknown,
    Value,
)


@function("isinstance")
def _isinstance(m: Machine, call: Call) -> Value:
    value, cls = m.see(call.arg(0) or NONE), m.see(call.arg(1) or NONE)

    def apply(v: Value) -> Value:
        answer = is_instance(m, v, cls)
        if compiling.is_compiled(v) and answer == FALSE and is_instance(m, compiling.plain(m, v), cls) == TRUE:
            api_calls.tell(m, Call(call.node, [v]), api_calls.CLASS_OF_COMPILED)
        return answer

    return lift(m, value, apply)


TORCH_TYPES: dict[str, type | tuple[type, ...]] = {
    "torch.Tensor": Tensor, "torch.device": Device, "torch.export.ExportedProgram": (Program, LoadedProgram),
    "torch.export.exported_program.ExportedProgram": (Program, LoadedProgram),
}  # fmt: skip
GRAPH_MODULE = "torch.fx.GraphModule"
"""What an exported module is, as other modules may be."""
OWN_CLASSES = frozenset({"ExportedProgram", "AOTICompiledModel"})
"""The classes of programs and packages, wherever they are taken from: they have no other bases."""
EXPORTED = Program | LoadedProgram | ProgramModule | Loaded
"""What is of no built-in class, nor of those below; a protocol of the project may hold it."""
CONSTANTS = frozenset({*CLASSES.values(), "numpy.dtype"})
"""The classes of dtypes, memory formats and layouts."""
PLAIN = {"str": str, "int": int, "float": float, "bool": bool, "bytes": bytes, "complex": complex}
SHAPES = {
    "Mapping": {"dict"}, "MutableMapping": {"dict"}, "Sequence": {"list", "tuple", "str"},
    "MutableSequence": {"list"}, "Set": {"set"},
    "Iterable": {"list", "tuple", "dict", "set", "str", "Tensor", "iterator", "view"},
    "Collection": {"list", "tuple", "dict", "set", "str"}, "Number": {"int", "float", "bool", "complex"},
    "Integral": {"int", "bool"}, "Real": {"int", "float", "bool"},
    "Path": {"Path"}, "PurePath": {"Path"}, "PathLike": {"Path"},
}  # fmt: skip
"""The abstract classes, and `Path`, with the kinds of values they hold."""
ABSTRACT = frozenset({"collections.abc", "typing", "numbers", "pathlib", "os"})


def kind_of(m: Machine, value: Value) -> str | None:
    """The name of the built-in kind, or the class of a constant of torch; None where a value may be of another."""
    match value:
        case Const(inner):
            return type(inner).__name__
        case Text():
            return "str"
        case Tup():
            return "tuple"
        case PathValue():
            return "Path"
        case Tensor():
            return "Tensor"
        case Device():
            return "device"
        case Obj(kind="list" | "dict" | "set" | "iterator" | "view" as kind):
            return kind
        case Obj(kind="module"):
            return "Module"
        case Ref(name):
            return "torch.dtype" if is_dtype(value) else CLASSES.get(name)
    return None


def union(m: Machine, first: Value, second: Value) -> Value | None:
    """`int | float`, as the tuple of its classes; None if the operands are no classes."""
    found: list[Value] = []
    for one in (first, second):
        if isinstance(one, Tup):
            found += one.items
        elif isinstance(one, Class) or one == NONE or (isinstance(one, Ref) and is_class_name(one.name)):
            found.append(one)
        else:
            return None
    return Tup(tuple(found))


def is_class_name(name: str) -> bool:
    """Whether a name from outside is surely that of a class."""
    last = name.rsplit(".", 1)[-1]
    return name in PLAIN or name in ("list", "dict", "tuple", "set") or name in TORCH_TYPES or last in SHAPES


@hooks.is_instance.answers
def is_instance(m: Machine, value: Value, cls: Value) -> Value:
    """The truth of `isinstance(value, cls)` for a value without alternatives."""
    items = containers.items_of(m, cls)
    if items is not None:
        answers = [is_instance(m, value, m.see(i)) for i in items]
        if TRUE in answers:
            return TRUE
        return FALSE if all(a == FALSE for a in answers) else _asked(m, value, cls)
    if isinstance(value, Obj) and value.compiled is not None and modules.is_module(m, value):
        return _of_compiled(m, value, cls)
    if isinstance(cls, Ref):
        known = _of_external(m, value, cls.name)
        if known is not None:
            return Const(known)
    if isinstance(cls, Class) and isinstance(value, Obj) and isinstance(value.cls, Class):
        return Const(cls in access.ancestors(m, value.cls))
    if isinstance(cls, Class) and kind_of(m, value) is not None and not (isinstance(value, Tup) and value.cls):
        return FALSE
    if isinstance(cls, Class) and isinstance(value, ProgramModule) and _is_of_modules(m, cls):
        return FALSE
    if isinstance(value, Choice):
        return lift(m, value, lambda v: is_instance(m, v, cls))
    return _asked(m, value, cls)


def _of_compiled(m: Machine, value: Obj, cls: Value) -> Value:
    """`torch.compile` gives a module of a class of its own around the one it was given (release 2.13.0)."""
    if not compiling.is_compiled(value):
        asked = compiling.asks_to_compile(value)
        return _asked(m, value, cls) if asked is None else is_instance(m, compiling.plain(m, value), cls)
    if isinstance(cls, Class):
        return FALSE
    if not isinstance(cls, Ref):
        return _asked(m, value, cls)
    last = cls.name.rpartition(".")[2]
    return Const(cls.name in modules.PLAIN or last == "OptimizedModule") if _is_cased(last) else _asked(m, value, cls)


def _asked(m: Machine, value: Value, cls: Value) -> Value:
    """The answer nobody knows; what the user chooses is usually of the kind of its default."""
    usual = is_instance(m, value.default, cls) if isinstance(value, Sym) and value.default is not None else None
    by_default = bool(usual.value) if isinstance(usual, Const) else None
    kind = "unknown" if by_default is None else option_kind(by_default)
    return ask(m, Cond(("isinstance", ident(value), ident(cls)), kind))


def _of_external(m: Machine, value: Value, name: str) -> bool | None:
    """Whether a value is of a class outside the project; None where that is not known."""
    if isinstance(value, Const) and name in PLAIN:
        return isinstance(value.value, PLAIN[name])
    kind = "exported" if isinstance(value, EXPORTED) else kind_of(m, value)
    if kind is not None and name in PLAIN:
        return kind == name
    if name in CONSTANTS and kind is not None:
        return kind == name
    known = TORCH_TYPES.get(name)
    if known is not None and not isinstance(value, Unknown | Sym):
        return isinstance(value, known)
    if name in ("list", "dict", "tuple", "set") and isinstance(value, Tup | Tensor | Const | Obj | Pairs | EXPORTED):
        mine = "tuple" if isinstance(value, Tup) else value.kind if isinstance(value, Obj) else ""
        return mine == name
    if name in modules.BASES and isinstance(value, ProgramModule):
        return name in (*modules.PLAIN, GRAPH_MODULE)
    if isinstance(value, ProgramModule) and name.startswith("torch.nn.") and _is_cased(name.rpartition(".")[2]):
        return False
    if name in modules.BASES and isinstance(
        value, Obj | Tensor | Const | Program | LoadedProgram | Loaded | Class | Func | Tup
    ):
        return modules.is_module(m, value) and (name in modules.PLAIN or _is_special(m, value, name))
    if modules.is_module(m, value):
        layer = layer_classes.is_layer(m, value, name)
        if layer is not None:
            return layer
    module, _, last = name.rpartition(".")
    of_torch = isinstance(value, Program | LoadedProgram | Loaded) or kind in CONSTANTS
    if of_torch and module not in ("", *ABSTRACT) and _is_cased(last):
        return None if last in OWN_CLASSES else False
    if module in ABSTRACT and last in SHAPES and kind is not None:
        return kind in SHAPES[last]
    if module in ABSTRACT and last in ("Mapping", "MutableMapping") and isinstance(value, Obj):
        return True if value.kind == "instance" and protocols.is_mapping(m, value) else None
    return None


def _is_of_modules(m: Machine, cls: Class) -> bool:
    """Whether a class of the project is one of modules."""
    return any(isinstance(one, Ref) and one.name in modules.BASES for one in access.ancestors(m, cls))


def _is_cased(name: str) -> bool:
    """Whether a name is written as those of classes are, and not as that of a tuple of some may be."""
    return name[:1].isupper() and not name.isupper()


def _is_special(m: Machine, module: Value, name: str) -> bool | None:
    """Whether a module is of a class that is more than `torch.nn.Module`; None where that is not known."""
    cls = module.cls if isinstance(module, Obj) else None
    above = access.ancestors(m, cls) if isinstance(cls, Class) else [cls]
    names = [one.name for one in above if isinstance(one, Ref)]
    last = name.rpartition(".")[2]
    if any(one in modules.BASES and one.rpartition(".")[2] == last for one in names):
        return True
    known = (isinstance(one, Class) or one in modules.HARMLESS or modules.is_module_class(m, one) for one in above)
    return False if all(known) else None


@operator("Class", "Ref")
def _either(m: Machine, node: nodes.Node, op: str, a: Value, b: Value | None) -> Value | None:
    """`int | float` is what `isinstance` takes."""
    return union(m, a, b) if op == "|" and isinstance(a, Class | Ref) and isinstance(b, Class | Ref | Const) else None

"""What the parameters of an op are: by the schema, by the annotations of a function, or by how it uses them."""

from __future__ import annotations

import re
from typing import TypeAlias

from aoti_lint.ir import nodes
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.lazily.regex import regex
from aoti_lint.machine.machine import Machine
from aoti_lint.torch_api.schemas.schema import Argument, Schema
from aoti_lint.values.values import Bound, Func, Obj, Partial, Ref, Value

DEFINED = Ref("CustomOpDef")
BY_PLACE = frozenset({"pos", "any"})
GIVEN = BY_PLACE | {"kw"}
_LISTS = regex(r"^(?:typing\.|collections\.abc\.|t\.)?(?:List|list|Sequence|Tuple|tuple|Iterable)\[(.*)\]$")
_OPTIONAL = regex(r"^(?:typing\.|t\.)?Optional\[(.*)\]$")
_TENSOR = regex(r"^(?:[\w.]+\.)?(?:Tensor|FloatTensor|LongTensor|Parameter)$")
_LIKE_A_TENSOR = (r"\.(?:shape|size\(|dtype|device|new_empty|new_zeros|new_ones|new_full|new_tensor|dim\(|ndim|numel\(|"
                  r"stride\(|view\(|element_size|is_contiguous)")  # fmt: skip


SAME_IN_EVERY_CALL = regex(
    r"(?:.*_|^)(?:weights?|w\d?|ws|parameters?|params?|bias|scales?|zeros|zero_points?|qzeros|codebooks?|packed\w*"
    r"|b_q\w*)(?:_.*|$)",
    re.I,
)
"""Names of parameters whose tensors have the same sizes in every call."""
LISTED = -1
"""The number of outputs of an op that returns a list."""
Returns: TypeAlias = tuple[str, ...] | None
"""The types of the outputs of an op, as a schema writes them; None where they are not known."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """`kind`: `Tensor`, `Tensor[]`, `int`, `int[]`, `float`, `dtype`, `device`, `None` or `other`."""

    name: str
    kind: str
    optional: bool = False
    mutable: bool = False


@dataclass(frozen=True, slots=True)
class Callee:
    """A function with the arguments it has already: the object of a method, those of a `functools.partial`."""

    func: Func
    args: tuple[Value, ...] = ()
    kwargs: tuple[tuple[str, Value], ...] = ()
    receiver: Value | None = None

    @property
    def places(self) -> list[nodes.Param]:
        """The parameters that it can be given, in order."""
        named = {name for name, _ in self.kwargs}
        can = [p for p in self.func.node.params if p.kind in GIVEN]
        return [p for i, p in enumerate(can) if not (i < len(self.args) and p.kind in BY_PLACE) and p.name not in named]

    @property
    def given(self) -> dict[str, Value]:
        """The arguments it has, by the names of their parameters."""
        firsts = [p.name for p in self.func.node.params if p.kind in BY_PLACE]
        return dict(zip(firsts, self.args, strict=False)) | dict(self.kwargs)


def callee(m: Machine, value: Value | None) -> Callee | None:
    """The function of the project that a kernel or fake is."""
    value = None if value is None else m.see(value)
    match value:
        case Obj(cls=cls) if cls == DEFINED:
            return callee(m, m.read(value.ident, "function"))
        case Func():
            return Callee(value)
        case Bound(receiver, _, Func(role=role) as func) if role in ("", "class", "static"):
            return Callee(func, () if role == "static" else (receiver,), (), receiver)
        case Partial(inner, args, kwargs):
            found = callee(m, inner)
            named = {} if found is None else dict(found.kwargs) | dict(kwargs)
            return found and replace(found, args=(*found.args, *args), kwargs=tuple(named.items()))
    return None


def of_schema(schema: Schema) -> tuple[list[Parameter], Returns]:
    """The parameters of a schema, and the types of its outputs."""
    parameters = [_of_argument(argument) for argument in schema.arguments]
    if schema.open_returns or any(one.type == "Any" for one in schema.returns):
        return parameters, None
    # `None` is one result for the parser of schemas, and nothing for who calls the op.
    return parameters, tuple(one.type for one in schema.returns if one.type != "None")


KINDS = {
    "Tensor": "Tensor", "SymInt": "int", "int": "int", "float": "float", "ScalarType": "dtype", "Device": "device",
}  # fmt: skip
"""The kinds of the types of a schema, and below of lists of them."""
LIST_KINDS = {"Tensor": "Tensor[]", "SymInt": "int[]", "int": "int[]"}


def _of_argument(argument: Argument) -> Parameter:
    kinds = LIST_KINDS if argument.is_list else KINDS
    return Parameter(argument.name, kinds.get(argument.element, "other"), argument.optional, argument.mutable)


def split(text: str) -> list[str]:
    """The parts between the commas that stand outside of brackets."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            parts.append(text[last:i].strip())
            last = i + 1
    rest = text[last:].strip()
    return [*parts, rest] if rest or not parts else parts


def of_function(m: Machine, called: Callee) -> list[Parameter]:
    """The parameters of a function by its annotations; of one without, by what the function does with it."""
    func = called.func
    text, start = m.text_of(func.code), func.node.start
    body = text.decode("utf-8", "replace")
    found = []
    for param in called.places:
        if param.annotation is None:
            name = re.escape(param.name)
            used = re.search(rf"\b{name}{_LIKE_A_TENSOR}|_like\(\s*{name}\b", body)
            either = re.search(rf"\bisinstance\(\s*{name}\b", body)
            found.append(Parameter(param.name, "Tensor" if used and not either else "other"))
        else:
            said = text[param.annotation.start - start : param.annotation.end - start].decode("utf-8", "replace")
            found.append(of_annotation(param.name, said))
    return found


def of_annotation(name: str, text: str) -> Parameter:
    """The parameter an annotation describes."""
    text = re.sub(r"\s+", "", text.strip().strip("'\""))
    optional = False
    inner = _OPTIONAL.match(text)
    if inner:
        text, optional = inner[1], True
    parts = _outside(text, "|")
    if "None" in parts and len(parts) == 2:
        text, optional = next(p for p in parts if p != "None"), True
    listed = _LISTS.match(text)
    element = (listed[1].partition(",")[0] if listed else text).strip("'\"")
    if element.startswith("Optional[") and listed:
        element = element[9:-1]
    kind = (
        "Tensor" if _TENSOR.match(element)
        else "int" if element in ("int", "torch.SymInt", "SymInt")
        else "float" if element == "float"
        else "dtype" if element in ("torch.dtype", "dtype")
        else "device" if element in ("torch.device", "device")
        else "other"
    )  # fmt: skip
    if listed:
        kind = f"{kind}[]" if kind in ("Tensor", "int") else "other"
    return Parameter(name, kind, optional)


def _outside(text: str, mark: str) -> list[str]:
    return split(text.replace(mark, ","))


def count_of(returns: Returns) -> int | None:
    """How many outputs an op has: `LISTED` where that is a list, None where that is not known."""
    if returns is None:
        return None
    return LISTED if len(returns) == 1 and returns[0].endswith("]") else len(returns)


def outputs_of(m: Machine, func: Func) -> Returns:
    """What the annotation of a function says it returns."""
    if not isinstance(func.node, nodes.FunctionDef) or func.node.returns is None:
        return None
    said, start = func.node.returns, func.node.start
    text = m.text_of(func.code)[said.start - start : said.end - start].decode("utf-8", "replace")
    text = re.sub(r"\s+", "", text.strip("'\""))
    if text == "None":
        return ()
    if _TENSOR.match(text):
        return ("Tensor",)
    if text in ("int", "float", "bool"):
        return (text,)
    found = re.match(r"^(?:typing\.|t\.)?(?:Tuple|tuple)\[(.*)\]$", text)
    if found and "..." not in found[1]:
        parts = split(found[1].rstrip(","))
        return tuple("Tensor" if _TENSOR.match(part) else part for part in parts) if len(parts) > 1 else ("?",)
    listed = _LISTS.match(text)
    return ("Tensor[]",) if listed and _TENSOR.match(listed[1]) else None

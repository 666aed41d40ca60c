"""A call of an operator of torch, and of one of the user: as `torch.ops` has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from aoti_lint.quoting.python import Python, form, joined, literal, string
from aoti_lint.rerun.repro import template, words
from aoti_lint.rerun.wrapper.arguments import Dtype, Output, Tensor, Value, Values
from aoti_lint.rerun.wrapper.calls import Call
from aoti_lint.rerun.wrapper.errors import NoRepro

_SHIM = re.compile(r"aoti_torch_(?:cpu|cuda|xpu|mps)_(\w+)$")
_NAMESPACES: Final = ("aten", "mkldnn", "quantized", "onednn", "mkl")


def of_torch(call: Call, values: Values) -> tuple[Python, list[str], list[str]]:
    """The call of an operator that torch has a C function for: its script, the tensors read and those written.

    The C functions take the arguments of the schema in its order, those with `_out` the results first, lists with
    their lengths, and what may be None as pointers. Source: `torchgen/gen_aoti_c_shim.py`. Raises `NoRepro`.
    """
    overload = _overload(call.name)
    given = [values.value(one) for one in call.arguments]
    made = [one.name for one in given if isinstance(one, Output)]
    given = [one for one in given if not isinstance(one, Output)]
    arguments = list(overload._schema.arguments)
    outs = [one for one in arguments if one.is_out]
    results, given = given[: len(outs)], given[len(outs) :]
    said, left = [], iter(given)
    for one in arguments:
        if not one.is_out:
            value = _bound(str(one.real_type), left)
            said.append(_keyword(one.name, value) if one.kwarg_only else value)
    if next(left, left) is not left:
        raise NoRepro(f"{call.name} is given more arguments than {overload} has")
    said += [_keyword(one.name, _python(value)) for one, value in zip(outs, results, strict=True)]
    written = [one.name for one in results if isinstance(one, Tensor)]
    mutated = [one for one in arguments if one.alias_info is not None and one.alias_info.is_write and not one.is_out]
    if mutated and not written:
        written = [one.name for one in given[: len(mutated)] if isinstance(one, Tensor)]
    entries = joined((form("@NAME@: @TENSOR@", NAME=string(name), TENSOR=words.given(name)) for name in written), ", ")
    left_there = form("{@ENTRIES@}", ENTRIES=entries) if written else form("named(result, @MADE@)", MADE=literal(made))
    body = _called(form("torch.ops.@NAME@", NAME=words.name(str(overload))), said, left_there, str(overload))
    return body, sorted(_named(given) | set(written)), written or made


def _called(operator: Python, said: list[Python], left: Python, name: str) -> Python:
    call = form("@OPERATOR@(@WORDS@)", OPERATOR=operator, WORDS=joined(said, ", "))
    return joined([template.LEFT, form(template.OPERATOR, NAME=words.name(name), CALL=call, LEFT=left)])


def _keyword(name: str, value: Python) -> Python:
    return form("@NAME@=@VALUE@", NAME=words.name(name), VALUE=value)


def _overload(name: str) -> Any:
    """The operator that a C function calls: `aoti_torch_cpu_sort_stable` is `aten.sort.stable`."""
    import torch

    match = _SHIM.match(name)
    base = match[1] if match is not None else ""
    for namespace in _NAMESPACES:
        rest = base.removeprefix(f"{namespace}_")
        packet = getattr(torch.ops, namespace)
        cuts = [len(rest), *(at for at in range(len(rest) - 1, 0, -1) if rest[at] == "_")]
        for cut in cuts:
            operator, overload = rest[:cut], rest[cut + 1 :] or "default"
            found = getattr(getattr(packet, operator, None), overload, None)
            if found is not None and hasattr(found, "_schema"):
                return found
    raise NoRepro(f"no operator of torch is known for {name}")


def _bound(kind: str, left: Iterator[Value]) -> Python:
    """The next argument for a parameter of a type of the schema, as Python."""
    optional = kind.startswith("Optional[")
    inner = kind.removeprefix("Optional[").removesuffix("]") if optional else kind
    try:
        value = next(left)
        if inner.startswith("List["):
            length = next(left)
            if value is None and (optional or not length):
                return literal(None if optional else [])
            if not isinstance(value, tuple):
                raise NoRepro(f"a list of the form {value!r} is not known here")
        elif inner in ("Device", "Layout", "MemoryFormat", "Generator") and value is not None:
            raise NoRepro(f"an argument of type {inner} is not known here")
        elif inner == "Device":
            next(left)
    except StopIteration:
        raise NoRepro("it is called with fewer arguments than its schema has") from None
    if inner == "bool" and isinstance(value, int):
        return literal(bool(value))
    if inner == "number" and isinstance(value, float) and value.is_integer():
        return literal(value)
    return _python(value)


def _python(value: Value) -> Python:
    """A value as the script writes it."""
    if isinstance(value, Tensor):
        tensor = words.given(value.name)
        if value.view is None:
            return tensor
        return form("view(@WORDS@)", WORDS=joined([tensor, *map(literal, value.view)], ", "))
    if isinstance(value, tuple):
        return form("[@WORDS@]", WORDS=joined(map(_python, value), ", "))
    if isinstance(value, Dtype):
        return form("torch.@NAME@", NAME=words.name(value.name))
    if isinstance(value, Output):
        raise NoRepro("a result stands among its arguments")
    return literal(value)


def _named(values: Any) -> set[str]:
    """The tensors in values."""
    if isinstance(values, Tensor):
        return {values.name}
    return set().union(*map(_named, values)) if isinstance(values, list | tuple) and values else set()


def of_user(call: Call, values: Values, node: dict[str, Any]) -> tuple[Python, list[str], list[str]]:
    """The call of a custom operator through torch's dispatcher: its script, the tensors read and those written.

    The package numbers such calls; tensors and whole numbers stand in the wrapper, in the order of the schema, all
    else in the package's JSON. Source: `OSSProxyExecutor` in `torch/csrc/inductor/aoti_torch/oss_proxy_executor.cpp`.
    """
    target = str(node.get("target", ""))
    namespace, _, name = target.partition("::")
    if not namespace or not name:
        raise NoRepro("the package does not name the operator")
    overload = words.name(f"{namespace}.{name if '.' in name else name + '.default'}")
    operator = form("torch.ops.@NAME@", NAME=overload)
    numbers = iter(_listed(values.value(call.arguments[3])))
    tensors = iter(_listed(values.value(call.arguments[5])))
    said, read = [], set[str]()
    for one in node.get("inputs") or ():
        value = _node_value(one.get("arg") or {}, numbers, tensors)
        read |= _named(value)
        said.append(_python(value) if one.get("kind", 1) == 1 else _keyword(str(one["name"]), _python(value)))
    made = [one.name for one in tensors if isinstance(one, Tensor)]
    shown = form("@SPACE@::@NAME@", SPACE=words.name(namespace), NAME=words.name(name))
    registered = form(template.REGISTERED, TARGET=shown, OPERATOR=operator)
    left = form("named(result, @MADE@)", MADE=literal(made))
    return joined([registered, _called(operator, said, left, operator)]), sorted(read), made


def _listed(value: Value) -> tuple[Value, ...]:
    return value if isinstance(value, tuple) else ()


def _node_value(entry: dict[str, Any], numbers: Iterator[Value], tensors: Iterator[Value]) -> Any:
    """The value of an input of a serialised node (`Argument` in `torch/_export/serde/schema.py`)."""
    kind, value = next(iter(entry.items()), ("", None))
    many: list[Any] = value if isinstance(value, list) else []
    try:
        if kind == "as_tensor":
            return next(tensors)
        if kind in ("as_tensors", "as_nested_tensors"):
            return tuple(next(tensors) for _ in many)
        if kind == "as_optional_tensors":
            return tuple(None if "as_none" in one else next(tensors) for one in many)
        if kind in ("as_int", "as_sym_int"):
            return next(numbers)
        if kind in ("as_ints", "as_sym_ints"):
            return tuple(next(numbers) for _ in many)
    except StopIteration:
        raise NoRepro("the call has fewer arguments than the package lists") from None
    if kind in ("as_float", "as_bool", "as_string"):
        return value
    if kind in ("as_floats", "as_bools", "as_strings"):
        return tuple(many)
    if kind == "as_none":
        return None
    raise NoRepro(f"an argument of the form {kind!r} is not known here")

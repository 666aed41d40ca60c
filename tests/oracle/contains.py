"""Whether a concrete value lies in an abstract one.

`misses` gives the reasons why not, each with the place inside the value; an empty list means that it does. A lost
value (`Unknown`) contains everything, a choice what one of its arms contains, an option (`Sym`) what its default
does, since the scripts were run without arguments.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

from aoti_lint.values.torch_values import Device, DimValue, FileName, Mixed, Package, Program, Tensor
from aoti_lint.values.values import (
    NONE,
    Absent,
    Choice,
    Class,
    Const,
    Many,
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

BASES = {"RecursiveScriptModule": "ScriptModule"}
"""Classes that torch derives from those a model names: `torch.jit.script` gives the first (2.13.0 `jit/_script.py`)."""


def misses(value: Value, concrete: Any, where: str) -> list[str]:
    """Why `concrete` (made by `describe`) is not contained in `value`."""
    match value:
        case Choice(_, then, other):
            return min(misses(then, concrete, where), misses(other, concrete, where), key=len)
        case Sym(default=default):
            return misses(default, concrete, where) if default is not None else []
        case Unknown():
            return []
        case FileName(given=given):
            return misses(given, concrete, where)
    kind = concrete["is"]
    if kind == "tensor":
        return _tensor(value, concrete, where)
    if kind in ("list", "tuple"):
        return _items(value, concrete["items"], where)
    if kind == "dict":
        return _dict(value, concrete, where)
    if kind in ("str", "path"):
        return _text(value, concrete["value"], where)
    if kind in ("bool", "int", "float", "none"):
        wanted = Const(concrete.get("value"))
        return [] if value == wanted or _is_opaque(value) else [f"{where}: {wanted.value!r} is not {value}"]
    if kind in ("dim", "hint", "derived"):
        return _dim(value, concrete, where)
    # what the recorder has no words for: only a plain constant is surely something else
    return [f"{where}: a {concrete.get('type', kind)} is not {value}"] if isinstance(value, Const | Tensor) else []


def _is_opaque(value: Value) -> bool:
    """An object we follow by its identity only: it says nothing of its value."""
    return isinstance(value, Obj | Ref | Many | PathValue)


def _tensor(value: Value, concrete: Any, where: str) -> list[str]:
    if isinstance(value, Obj):
        return []
    if not isinstance(value, Tensor):
        return [f"{where}: a tensor is not {value}"]
    found = device_misses(value.device, [concrete["device"]], f"{where}.device")
    if value.dtype is not None and value.dtype.removeprefix("torch.") != concrete["dtype"]:
        found.append(f"{where}.dtype: {concrete['dtype']} is not {value.dtype}")
    if value.shape is not None:
        if len(value.shape) != len(concrete["shape"]):
            found.append(f"{where}.shape: {concrete['shape']} has not {len(value.shape)} dims")
        else:
            for index, (size, real) in enumerate(zip(value.shape, concrete["shape"], strict=True)):
                found += misses(size, {"is": "int", "value": real}, f"{where}.shape[{index}]")
    return found


def device_misses(value: Value, types: Iterable[str], where: str) -> list[str]:
    """Why something that lives on devices of these types is not where `value` says."""
    real = sorted(set(types))
    match value:
        case Choice(_, then, other):
            return min(device_misses(then, real, where), device_misses(other, real, where), key=len)
        case Sym(default=default):
            return device_misses(default, real, where) if default is not None else []
        case Const(str() as text):
            return [] if [text.split(":")[0]] == real else [f"{where}: {real} is not {text}"]
        case Device(type=kind):
            return [] if [kind] == real else [f"{where}: {real} is not {kind}"]
        case Mixed(devices):
            outside = [kind for kind in real if all(device_misses(one, [kind], where) for one in devices)]
            return [f"{where}: {outside} is not among {devices}"] if outside else []
    return []


def _items(value: Value, items: list[Any], where: str) -> list[str]:
    match value:
        case Many(element):
            return [reason for index, item in enumerate(items) for reason in misses(element, item, f"{where}[{index}]")]
        case Tup(held):
            if len(held) != len(items):
                return [f"{where}: {len(items)} items are not {len(held)}"]
            pairs = zip(held, items, strict=True)
            return [
                reason for index, (one, item) in enumerate(pairs) for reason in misses(one, item, f"{where}[{index}]")
            ]
        case Const() | Tensor() | Pairs() | Device():
            return [f"{where}: a sequence is not {value}"]
    return []


def _dict(value: Value, concrete: Any, where: str) -> list[str]:
    real = dict(zip(concrete["keys"], concrete["values"], strict=True))
    if value == NONE:
        return [] if not real else [f"{where}: {list(real)} is not None"]
    if not isinstance(value, Pairs):
        return [f"{where}: a dict is not {value}"] if isinstance(value, Const | Tensor | Tup | Device) else []
    keys = [key for key, _ in value.pairs]
    if not all(isinstance(key, Const) for key in keys):
        return []
    named = {str(key.value): held for key, held in value.pairs if isinstance(key, Const)}
    if set(named) != set(real):
        return [f"{where}: keys {sorted(real)} are not {sorted(named)}"]
    return [reason for key, held in named.items() for reason in misses(held, real[key], f"{where}[{key!r}]")]


def _text(value: Value, text: str, where: str) -> list[str]:
    match value:
        case PathValue(inner):
            # a pathlib path is written without redundant parts
            return _text(inner, text, where) and _text(inner, os.path.normpath(text), where)
        case Package() | Program():
            return _text(value.file, text, where) if isinstance(value, Package) and value.file != NONE else []
        case Text(parts):
            return [] if _fits(parts, text) else [f"{where}: {text!r} does not fit {value}"]
        case Choice() | Sym() | Unknown():
            return misses(value, {"is": "str", "value": text}, where)
        case Const(held):
            same = held == text or (isinstance(held, str) and os.path.normpath(held) == os.path.normpath(text))
            return [] if same else [f"{where}: {text!r} is not {held!r}"]
        case Tensor() | Tup() | Pairs():
            return [f"{where}: {text!r} is not {value}"]
    return []


def _fits(parts: tuple[Value, ...], text: str) -> bool:
    """Whether the known parts stand in the text in order, the first and last at its ends."""
    rest = text
    for index, part in enumerate(parts):
        if not isinstance(part, Const):
            continue
        at = rest.find(str(part.value))
        if at < 0 or (index == 0 and at > 0):
            return False
        rest = rest[at + len(str(part.value)) :]
    return not rest or not isinstance(parts[-1], Const)


def _dim(value: Value, concrete: Any, where: str) -> list[str]:
    if not isinstance(value, DimValue):
        return [f"{where}: {concrete} is not {value}"] if isinstance(value, Const | Tensor | Tup | Pairs) else []
    if concrete["is"] == "hint":
        return [] if value.kind == concrete["name"] else [f"{where}: Dim.{concrete['name']} is not {value.kind}"]
    if concrete["is"] == "derived":
        return [] if value.kind == "derived" else [f"{where}: a derived Dim is not {value.kind}"]
    if value.kind != "named":
        return [f"{where}: a named Dim is not {value.kind}"]
    found = []
    if not value.name.startswith("<") and value.name != concrete["name"]:
        found.append(f"{where}: Dim {concrete['name']} is not {value.name}")
    for side, held in (("min", value.min), ("max", value.max)):
        # torch fills a bound in that was not given
        if held != NONE:
            wanted = {"is": "int", "value": concrete[side]}
            found += misses(held, wanted, f"{where}.{side}")
    return found


def model_misses(value: Value, concrete: Any, where: str) -> list[str]:
    """Why the class of a module is not that of `value`."""
    match value:
        case Choice(_, then, other):
            return min(model_misses(then, concrete, where), model_misses(other, concrete, where), key=len)
        case Obj(cls=Class() | Ref() as cls):
            name = cls.name.rsplit(".", 1)[-1]
            return (
                []
                if name in (concrete["class"], BASES.get(concrete["class"]))
                else [f"{where}: a {concrete['class']} is not a {name}"]
            )
        case Const() | Tensor() | Absent() | Device():
            return [f"{where}: a {concrete['class']} is not {value}"]
    return []


def is_definite(value: Value) -> bool:
    """Whether nothing in the value was lost."""
    match value:
        case Unknown():
            return False
        case FileName(given=given):
            return is_definite(given)
        case Choice(_, then, other):
            return is_definite(then) and is_definite(other)
        case Tup(items):
            return all(map(is_definite, items))
        case Pairs(pairs):
            return all(is_definite(held) for _, held in pairs)
        case Tensor(device=device, shape=shape):
            return shape is not None and is_definite(device) and all(map(is_definite, shape))
    return True

"""Values in a few words, and what in them is not known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from aoti_lint.language.data.defaults import by_default
from aoti_lint.language.data.paths import CWD, FRESH, PLACES
from aoti_lint.values.choices import leaves
from aoti_lint.values.conditions import Path
from aoti_lint.values.torch_values import Device, DimValue, FileName, Mixed, Tensor
from aoti_lint.values.values import Absent, Choice, Const, Many, Obj, Pairs, PathValue, Sym, Text, Tup, Unknown, Value

_UNKNOWN = (Unknown, Sym, Many, Absent)
MOST = 4
"""Tensors or sizes that are listed one by one."""


@dataclass(frozen=True, slots=True)
class Aspect:
    """One thing there is to know at a place: what it is where it is `known`, else why it is not (perhaps empty).

    `usual` is what it is by default where it is not known as an option or the like may say otherwise.
    """

    name: str
    known: bool
    text: str
    usual: str = ""


def known(name: str, text: str) -> Aspect:
    return Aspect(name, True, text)


def lost(name: str, why: str, usual: str = "") -> Aspect:
    return Aspect(name, False, why, usual)


def reason(value: Value) -> str:
    """Why a value is not known."""
    match value:
        case Unknown(reason=why):
            return why
        case Sym(origin=origin, default=default):
            usual = "" if default is None else f" ({words(default)} by default)"
            return f"{origin or 'it is given from outside'}{usual}"
        case Absent():
            return "it is not set on every way"
        case _:
            return ""


def words(value: Value) -> str:
    """A value for people, in a few words."""
    match value:
        case Const(inner):
            return str(inner)
        case Device():
            return str(value)
        case Mixed(devices):
            return " and ".join(dict.fromkeys(map(words, devices)))
        case Tensor():
            return shape_of(value)
        case PathValue(text):
            return words(text)
        case Text(parts):
            return "".join(words(part) for part in parts)
        case Choice():
            return either(leaf for _, leaf in leaves(value))
        case Unknown(key=key) if key == CWD.key:
            return "."
        case _:
            return "…"


def either(values: Iterable[Value]) -> str:
    """The alternatives of a value."""
    return " or ".join(dict.fromkeys(map(words, values)))


def shape_of(tensor: Tensor) -> str:
    """`(8, 10) float32`, with `?` for what is not known."""
    dtype = (tensor.dtype or "of unknown dtype").removeprefix("torch.")
    if tensor.shape is None:
        return f"(?) {dtype}"
    sizes = ", ".join(str(size.value) if isinstance(size, Const) else "?" for size in tensor.shape)
    return f"({sizes}{',' if len(tensor.shape) == 1 else ''}) {dtype}"


def parts(value: Value, path: Path) -> Iterator[Value]:
    """All that a frozen value can be and holds, containers aside."""
    for answers, leaf in leaves(value, path):
        match leaf:
            case Tup(items):
                for item in items:
                    yield from parts(item, answers)
            case Pairs(pairs):
                for _, item in pairs:
                    yield from parts(item, answers)
            case _:
                yield leaf


def unknown_in(value: Value, path: Path) -> Value | None:
    """The first part of a value that is not known."""
    return next((one for one in parts(value, path) if isinstance(one, _UNKNOWN)), None)


def _said(found: Iterable[Value], of: Callable[[list[Value]], Aspect]) -> Aspect:
    """What there is to say of what was found; where it is not known, what it is by default, too."""
    whole = list(found)
    said = of(whole)
    usual = said if said.known else of(list(map(by_default, whole)))
    return said if said.known or not usual.known else replace(said, usual=usual.text)


def device(name: str, value: Value, path: Path) -> Aspect:
    """A device, or the devices of what lives on several."""

    def said(found: list[Value]) -> Aspect:
        for leaf in found:
            inner = leaf.devices if isinstance(leaf, Mixed) else (leaf,)
            missing = next((one for one in inner if not isinstance(one, Device)), None)
            if missing is not None:
                return lost(name, reason(missing))
        return known(name, either(found))

    given = [leaf for _, leaf in leaves(value, path)]
    found, usual = _said(given, said), list(map(by_default, given))
    # An option gives the name of a device.
    if found.known or found.usual or usual == given or not all(isinstance(one, Device | Const) for one in usual):
        return found
    return replace(found, usual=either(usual))


def file(name: str, file: FileName, path: Path, absent: str) -> Aspect:
    """The name of a file; `absent` says what it means that none is given."""

    def said(given: list[Value]) -> Aspect:
        for leaf in given:
            inner = leaf.text if isinstance(leaf, PathValue) else leaf
            for part in inner.parts if isinstance(inner, Text) else (inner,):
                if isinstance(part, Sym) or (isinstance(part, Unknown) and not is_folder(part)):
                    return lost(name, reason(part))
        return known(name, absent if given == [Const(None)] else either(given))

    return _said((leaf for _, leaf in leaves(file.given, path)), said)


def is_folder(value: Unknown) -> bool:
    """Whether it stands for a folder that is named otherwise on every machine."""
    return value.key in PLACES or value.key.startswith(FRESH)


def inputs(name: str, value: Value, path: Path) -> Aspect:
    """The tensors and other values that a program is given."""
    return _said(parts(value, path), lambda found: _inputs(name, found))


def _inputs(name: str, found: list[Value]) -> Aspect:
    tensors: list[str] = []
    others = 0
    for part in found:
        match part:
            case Tensor():
                gap = gap_of(part)
                if gap is not None:
                    return lost(name, f"{shape_of(part)}: {gap}")
                tensors.append(shape_of(part))
            case Unknown() | Sym() | Many() | Absent() | Obj():
                why = "an object whose parts are not looked at" if isinstance(part, Obj) else reason(part)
                return lost(name, why or "how many there are is not known")
            case _:
                others += 1
    listed = list(dict.fromkeys(tensors))
    more = f" and {len(listed) - MOST} more" if len(listed) > MOST else ""
    said = [f"{len(tensors)} tensor{'s' * (len(tensors) != 1)} {', '.join(listed[:MOST])}{more}"] if tensors else []
    said += [f"{others} other value{'s' * (others != 1)}"] if others else []
    return known(name, " and ".join(said) or "none")


def gap_of(tensor: Tensor) -> str | None:
    """What is not known of the sizes and the dtype of a tensor."""
    if tensor.shape is None:
        return "its shape is not known"
    for index, size in enumerate(tensor.shape):
        if not isinstance(size, Const):
            why = reason(size)
            return f"its size in dimension {index} is not known{f': {why}' if why else ''}"
    return None if tensor.dtype is not None else "its dtype is not known"


def devices_of(name: str, value: Value, path: Path) -> Aspect:
    """The devices of the tensors that a program is given."""
    found: list[Aspect] = []
    for part in parts(value, path):
        if isinstance(part, Tensor):
            found.append(device(name, part.device, path))
        elif isinstance(part, _UNKNOWN):
            return lost(name, reason(part))
    said = " and ".join(dict.fromkeys(one.text if one.known else one.usual or "…" for one in found))
    gap = next((one for one in found if not one.known), None)
    if gap is not None:
        return replace(gap, usual="" if "…" in said else said)
    return known(name, said or "no tensor is given")


def dims(name: str, spec: Value, path: Path, marked: bool) -> Aspect:
    """Which dimensions are dynamic."""

    def said(whole: list[Value]) -> Aspect:
        for one in whole:
            if isinstance(one, _UNKNOWN):
                return lost(name, reason(one))
        found = [one for one in whole if isinstance(one, DimValue)]
        for one in found:
            for bound in (one.min, one.max):
                missing = unknown_in(bound, path)
                if missing is not None:
                    return lost(name, f"a bound of {one.name or one.kind}: {reason(missing)}")
        told = [f"dynamic: {', '.join(dict.fromkeys(one.name or one.kind for one in found))}"] if found else []
        told += ["marked with mark_dynamic or the like"] if marked else []
        return known(name, ", ".join(told) or "all fixed")

    return _said(parts(spec, path), said)

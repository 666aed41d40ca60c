"""C++ that loads a package, or the library of a compiled model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from aoti_lint.diagnostics import Span
from aoti_lint.lazily.dataclass import dataclass, replace
from aoti_lint.lazily.regex import regex
from aoti_lint.native.lexical import SpentMarks, Text
from aoti_lint.native.literals import Literals
from aoti_lint.native.macros import Macros, defines
from aoti_lint.native.syntax import arguments, raw

if TYPE_CHECKING:
    from tree_sitter import Node

_CLASS = rb"\bAOTIModel(?:PackageLoader|ContainerRunner(?P<%s>Cpu|Cuda|Xpu|Mps))\b"
_MADE = regex(
    _CLASS % b"one" + rb"\s*(?:\w+\s*)?[({]|\bmake_(?:unique|shared)\s*<[^<>;]{0,200}" + _CLASS % b"two" + rb"\s*>\s*\("
)
_DECLARED = regex(
    _CLASS % b"one" + rb"\s+(?P<plain>\w+)\s*;"
    rb"|\boptional\s*<\s*(?:\w+\s*::\s*)*" + _CLASS % b"two" + rb"\s*>\s*(?P<optional>\w+)\s*;"
)
_SET = rb"(?:(?<!:):|,)\s*(?P<set>%s)\s*[({]|(?<![\w.>])(?P<filled>%s)\s*\.\s*emplace\s*\("
"""How a constructor sets a member, and how an optional one is set."""
_HELD = regex(rb"(\w+)\s*(?:=|[({]|\.\s*reset\s*\()\s*(?:new\s+)?(?:\w+\s*::\s*)*\Z")
_NAMED = regex(rb"(?:AOTIModel\w+\s+)?(\w+)\s*(?:\.\s*emplace\s*)?\Z")
"""What holds a loaded model: before the place where it is made, or there."""
_INDEX = 4
"""The position of `device_index` in the constructor of a loader (torch 2.13, `aoti_package/model_package_loader.h`)."""
_GIVEN = regex(rb"argv\s*\[\s*\d+\s*\]")
_SCRIPTED = regex(rb"\bjit\s*::\s*load\s*\(")
_MAIN = regex(rb"\bint\s+main\s*\(")
_OPEN = regex(
    rb"\b(?:dlopen|dlmopen|LoadLibrary\w*|DynamicLibrary|Py_Initialize\w*|scoped_interpreter|PYBIND11_\w+|PyInit_\w+"
    rb"|torch/extension\.h|torch/python\.h|Python\.h|pybind11)\b"
)


@dataclass(frozen=True, slots=True)
class Load:
    """A package, or the library of a model, is loaded at `span`: the one at the path `file`.

    `device` is the type of device that the runner of a library is for, empty for packages; `index` is the
    `device_index` that is given, where it is a number. `model` is the name of the model in a package, None where that
    is not known.
    """

    file: str
    span: Span
    device: str = ""
    index: int | None = None
    model: str | None = None
    name: str = ""
    """The variable, or the member, that holds it; empty where that is not seen."""
    given: bool = False
    """Whether who starts the program names the file."""


Members = dict[str, str]
"""Members of classes that are loaders or runners, by their names; for a runner, the type of device it is for."""


def members(data: bytes) -> Members:
    """The members, and variables, that C++ text declares to be loaders or runners, and does not set there."""
    found: dict[str, set[str]] = {}
    for one in _DECLARED.finditer(Text(data).masked):
        name = one["plain"] or one["optional"]
        found.setdefault(name.decode(), set()).add((one["one"] or one["two"] or b"").decode().lower())
    return {name: kinds.pop() for name, kinds in found.items() if len(kinds) == 1}


def loads(data: bytes, path: str, declared: Members | None = None) -> list[Load]:
    """Where C++ text loads packages, or libraries; the file is empty where the text does not say its name.

    Nor does it where it chooses among runners for a library: by `#if`, or by two runners for one path. `declared` are
    the members that constructors may set there.
    """
    try:
        found = list(_loads(Text(data), path, declared or {}))
    except SpentMarks:
        return []
    runners: dict[str, set[str]] = {}
    for one, _ in found:
        runners.setdefault(one.file, set()).add(one.device)
    chosen = [one.device and (is_chosen or len(runners[one.file]) > 1) for one, is_chosen in found]
    return [replace(one, file="") if other else one for (one, _), other in zip(found, chosen, strict=True)]


def _loads(text: Text, path: str, declared: Members) -> Iterator[tuple[Load, bool]]:
    """Each load, and whether it stands between `#if` and `#endif`."""
    literals = Literals(text, Macros(defines(text)))
    made = [(found.start(), start, end, (found["one"] or found["two"] or b"").decode().lower())
            for found, start, end in text.calls(_MADE)]  # fmt: skip
    if declared:
        names = b"|".join(re.escape(name.encode()) for name in declared)
        for found, start, end in text.calls(re.compile(_SET % (names, names))):
            how = "set" if found["set"] else "filled"
            made.append((found.start(how), start, end, declared[found[how].decode()]))
    for begin, start, end, device in sorted(made):
        args = arguments(text.code[start + 1 : end])
        file = _file(literals, args[0]) if args else ""
        index = None if device else _number(args[_INDEX:])
        model = None if device else _model(text, literals, args)
        name = _HELD.search(text.masked[max(0, begin - 200) : begin]) or _NAMED.match(text.masked, begin, start)
        held = name[1].decode() if name is not None else ""
        given = bool(args and _GIVEN.fullmatch(raw(args[0])))
        yield Load(file, Span(path, begin, end + 1), device, index, model, held, given), text.conditional(begin)


def scripted(data: bytes, path: str) -> Iterator[tuple[str, Span]]:
    """Where C++ text loads what is TorchScript for it, with the path of the file where the text says its name."""
    text = Text(data)
    try:
        literals = Literals(text, Macros(defines(text)))
        for found, start, end in text.calls(_SCRIPTED):
            args = arguments(text.code[start + 1 : end])
            file = _file(literals, args[0]) if args else ""
            if file:
                yield file, Span(path, found.start(), end + 1)
    except SpentMarks:
        return


def _file(literals: Literals, node: Node) -> str:
    """The path of a file, or its name where only that is known; empty where that is not."""
    whole = literals.string(node)
    if whole is not None:
        return whole
    _, there, name = literals.ending(node).rpartition("/")
    return name if there else ""


def _model(text: Text, literals: Literals, args: list[Node]) -> str | None:
    """The name of the model that is asked for; not where it is that of a variable which something else may set."""
    if len(args) < 2:
        return "model"
    name = raw(args[1])
    if args[1].type == "identifier":
        escaped = re.escape(name)
        again = re.findall(rb"(?<![\w.>])%s\s*\+?=(?!=)|[\w>&*]\s*(?<!\w)%s\s*[,)]" % (escaped, escaped), text.masked)
        if len(again) > 1:
            return None
    return literals.string(args[1])


def _number(args: list[Node]) -> int | None:
    """The number that the first of these is."""
    text = raw(args[0]) if args else b""
    return int(text) if text.isdigit() else None


def is_program(data: bytes) -> bool:
    """Whether C++ text has a `main`."""
    return _MAIN.search(Text(data).masked) is not None


def may_load_more(data: bytes) -> bool:
    """Whether C++ text may bring other libraries, or Python, into its process."""
    return _OPEN.search(Text(data).code) is not None

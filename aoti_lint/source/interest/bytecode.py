"""The names that compiled Python code uses, by what it does with them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from opcode import EXTENDED_ARG, hasname, opmap
from types import CodeType

from aoti_lint.lazily.regex import regex

EXPORT = "export"
"""The name under which torch has what exports."""
TYPES_OF_EXPORT = "export."
"""What stands for it where all that is asked of it are types, as `isinstance(x, torch.export.Dim)` does."""
_SHAPES = "dynamic_shapes"
_TYPE = regex(r"_?[A-Z]")
# How an attribute is asked for, and a method that is called.
_ATTRIBUTES = tuple(opmap[name] for name in ("LOAD_ATTR", "LOAD_METHOD") if name in opmap)
# Operations whose argument says more than which name they mean: so many bits of it. Since Python 3.12 the lowest bit of
# an attribute's says that it is a method that is called.
_SHIFTED = {
    opmap[name]: by
    for since, name, by in (((3, 11), "LOAD_GLOBAL", 1), ((3, 12), "LOAD_ATTR", 1), ((3, 12), "LOAD_SUPER_ATTR", 2))
    if sys.version_info >= since
}
_CACHE = opmap.get("CACHE")


def own_names(code: CodeType) -> set[str]:
    """The names used directly in some code."""
    names = set(code.co_names)
    if EXPORT in names and _only_types(code):
        names ^= {EXPORT, TYPES_OF_EXPORT}
    for name in code.co_names:
        if "." in name:
            names.update(name.split("."))
    return names


def names_in(code: CodeType) -> set[str]:
    """Global names, attributes and imported modules used anywhere in a function or class."""
    names = own_names(code)
    todo = [code]
    while todo:
        for constant in todo.pop().co_consts:
            if isinstance(constant, CodeType):
                names |= own_names(constant)
                todo.append(constant)
    return names


def arguments(code: CodeType, given: Mapping[str, int]) -> set[str]:
    """The names of arguments anywhere in a function or class that are given by what is around the file."""
    names: set[str] = set()
    todo = [code] if given else []
    while todo:
        one = todo.pop()
        names.update(one.co_varnames[: one.co_argcount + one.co_kwonlyargcount])
        todo += [constant for constant in one.co_consts if isinstance(constant, CodeType)]
    return names & given.keys()


def stored(code: CodeType, name: str) -> set[str]:
    """The names that an operation of this name binds in a function itself."""
    wanted = opmap[name]
    return {
        code.co_names[argument]
        for operation, argument in _operations(code)
        if operation == wanted and argument < len(code.co_names)
    }


def loaded(code: CodeType) -> set[str]:
    """The names, and attributes, that a module's own code uses and does not only bind."""
    found = {(operation, argument >> _SHIFTED.get(operation, 0)) for operation, argument in _operations(code)}
    wanted = {opmap["LOAD_NAME"], *_ATTRIBUTES}
    return {code.co_names[index] for operation, index in found if operation in wanted and index < len(code.co_names)}


def _only_types(code: CodeType) -> bool:
    """Whether all that some code itself asks `export` for are types: it makes nothing of them but a `Dim`."""
    asked = ""
    for operation, argument in _operations(code):
        index = argument >> _SHIFTED.get(operation, 0)
        name = code.co_names[index] if operation in hasname and index < len(code.co_names) else ""
        if operation not in _ATTRIBUTES:
            if EXPORT in (asked, name):
                return False
            asked = ""
        elif asked and name != _SHAPES:
            called = operation != _ATTRIBUTES[0] or (operation in _SHIFTED and argument & 1)
            if not _TYPE.match(name) or (called and name != "Dim"):
                return False
            asked = ""
        else:
            asked = name if asked or name == EXPORT else ""
    return True


def _operations(code: CodeType) -> Iterator[tuple[int, int]]:
    """The operations of a function itself with their arguments, without the room that Python keeps between them."""
    high = 0
    for at in range(0, len(code.co_code), 2):
        operation, argument = code.co_code[at], code.co_code[at + 1] | high
        high = argument << 8 if operation == EXTENDED_ARG else 0
        if operation not in (EXTENDED_ARG, _CACHE):
            yield operation, argument

"""What a file speaks of, judged by its compiled code: names in comments and strings do not count."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from types import CodeType

from aoti_lint.source.interest import IMPORT, pairs

# Names that say what a file is about. Using one makes the top-level function around it matter to its importers, too.
_CARRIED = re.compile(
    r"_?aoti\w*|AOTI\w*|aot_(?:compile|load)\w*|load_package|export|draft_export|export_for_\w+"
    r"|capture_pre_autograd_graph|dynamic_dim|custom_op|register_fake|impl_abstract"
)
# Names that make a file matter, but not those that import from it.
_LOCAL = re.compile(r"_export|_inductor|library|Library|triton_op|register_kernel|\w*dynamic_dim\w*")
# An assignment at the start of a line, with the lines that belong to it.
_ASSIGNMENT = re.compile(rb"^([A-Za-z_]\w*)[ \t]*(?::[^=\r\n]+)?=(?!=)([^\n]*(?:\n[ \t)\]}][^\n]*)*)", re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")

# `ast.PyCF_ALLOW_TOP_LEVEL_AWAIT`, without importing `ast`.
_ALLOW_TOP_LEVEL_AWAIT = 0x2000

_UNPARSABLE = (SyntaxError, ValueError, LookupError, RecursionError, MemoryError, OverflowError)


def examine(
    text: bytes | str, data: bytes, imported: Mapping[str, int], given: Mapping[str, int]
) -> tuple[bool, dict[str, int]] | None:
    """Whether a file matters, and its top-level names that lead to what matters; None if it cannot be compiled.

    `text` is its Python text, `data` that text as bytes, `imported` the names it imports that make it matter, `given`
    those that its functions may have as arguments. The number of a name says through how many other files' functions
    it leads there; handing a name on counts nothing.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(text, "<source>", "exec", _ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True, optimize=0)
    except _UNPARSABLE:
        return None
    parts = [
        (part.co_name, _names(part) | _arguments(part, given)) for part in code.co_consts if isinstance(part, CodeType)
    ]
    everything = _own_names(code).union(*(names for _, names in parts))
    imported = {**given, **imported}
    interesting = not everything.isdisjoint(imported) or any(
        _CARRIED.fullmatch(name) or _LOCAL.fullmatch(name) for name in everything
    )
    if not interesting:
        return False, {}
    parts.extend(
        (found[1].decode("utf-8", "ignore"), set(_WORD.findall(found[2].decode("utf-8", "ignore"))))
        for found in _ASSIGNMENT.finditer(data)
    )
    symbols = {**imported, **dict.fromkeys(_bound_by_imports(data), 0)}
    symbols.update((name, 0) for name, names in parts if any(_CARRIED.fullmatch(used) for used in names))
    again = True
    while again:
        again = False
        for name, names in parts:
            near = min((symbols[used] + (used in imported) for used in names if used in symbols), default=None)
            if near is not None and near < symbols.get(name, near + 1):
                symbols[name] = near
                again = True
    return True, symbols


def _names(code: CodeType) -> set[str]:
    """Global names, attributes and imported modules used anywhere in a function or class."""
    names = _own_names(code)
    todo = [code]
    while todo:
        for constant in todo.pop().co_consts:
            if isinstance(constant, CodeType):
                names |= _own_names(constant)
                todo.append(constant)
    return names


def _arguments(code: CodeType, given: Mapping[str, int]) -> set[str]:
    """The names of arguments anywhere in a function or class that are given by what is around the file."""
    names: set[str] = set()
    todo = [code] if given else []
    while todo:
        one = todo.pop()
        names.update(one.co_varnames[: one.co_argcount + one.co_kwonlyargcount])
        todo += [constant for constant in one.co_consts if isinstance(constant, CodeType)]
    return names & given.keys()


def _own_names(code: CodeType) -> set[str]:
    """The names used directly in some code."""
    names = set(code.co_names)
    for name in code.co_names:
        if "." in name:
            names.update(name.split("."))
    return names


def _bound_by_imports(data: bytes) -> set[str]:
    """Names bound to parts of torch that matter."""
    bound = set()
    for found in IMPORT.finditer(data):
        if found["modules"] is not None:
            imports = [(dotted, alias) for dotted, alias in pairs(found["modules"]) if alias]
        elif found["dots"]:
            continue
        else:
            module = found["module"].decode("utf-8", "ignore")
            imports = [(f"{module}.{name}", alias or name) for name, alias in pairs(found["names"])]
        for dotted, local in imports:
            parts = dotted.split(".")
            if parts[0] == "torch" and local and any(_CARRIED.fullmatch(part) for part in parts):
                bound.add(local)
    return bound

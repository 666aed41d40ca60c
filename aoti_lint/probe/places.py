"""Where in the user's code something happened."""

from __future__ import annotations

import linecache
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from traceback import walk_stack, walk_tb
from types import CodeType, FrameType
from typing import Any, TypeVar

import torch

from aoti_lint.probe.finding import Place

T = TypeVar("T")

_HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
"""The whole of aoti_lint: the probe reads schemas while it calls kernels."""
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
_STDLIB = sysconfig.get_path("stdlib") + os.sep
_PACKAGES = tuple({sysconfig.get_path(name) + os.sep for name in ("purelib", "platlib")})
_NUMBERS = tuple(
    _TORCH + name for name in ("__init__.py", "_tensor.py", os.path.join("fx", "experimental", "sym_node.py"))
)
"""Files whose functions are the operators and methods of sizes and tensors, as Python calls them."""


def is_users(file: str) -> bool:
    """Whether a file is neither torch's, nor Python's, nor ours."""
    if file.startswith(("<", _TORCH, _HERE)):
        return False
    return not file.startswith(_STDLIB) or file.startswith(_PACKAGES)


def here() -> tuple[Place | None, bool]:
    """The innermost line of the user's code that is being run, and whether it uses a size itself.

    If not, it calls a function of torch that does.
    """
    return _innermost(_lines(walk_stack(sys._getframe(1))))


def of_error(error: BaseException) -> tuple[Place | None, bool]:
    """The same for the line that raised `error`."""
    return _innermost(reversed(list(_lines(walk_tb(error.__traceback__)))))


def _innermost(frames: Iterator[tuple[str, int, str]]) -> tuple[Place | None, bool]:
    inner = ""
    for file, line, function in frames:
        if is_users(file):
            return place(file, line, function), not inner or inner.startswith(_NUMBERS)
        if not file.startswith(_HERE):
            inner = file
        elif function == "call":
            # `Example.call`: no line of the user was on the way.
            break
    return None, False


def _lines(frames: Iterable[tuple[FrameType, int]]) -> Iterator[tuple[str, int, str]]:
    return ((frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in frames)


def _imports(frame: FrameType) -> bool:
    """Whether a module is being imported: torch does that late, and packages hook into it."""
    for file, _, function in _lines(walk_stack(frame)):
        if file.startswith("<frozen importlib"):
            return True
        if file.startswith(_HERE) and function == "call":
            return False
    return False


def place(file: str, line: int, function: str) -> Place:
    """A line with its text."""
    return Place(file, line, function, linecache.getline(file, line).strip()[:200])


def first_called(run: Callable[[], T]) -> tuple[T, Place | None]:
    """What `run` gives, and the first function of the user that it calls, from wherever: C++ calls the kernels."""
    found: list[CodeType] = []

    def look(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and not found and is_users(frame.f_code.co_filename) and not _imports(frame):
            found.append(frame.f_code)
            sys.setprofile(before)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        given = run()
    finally:
        sys.setprofile(before)
    if not found:
        return given, None
    code = found[0]
    return given, place(code.co_filename, code.co_firstlineno, code.co_name)

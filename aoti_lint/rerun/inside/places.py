"""Which line of the user's code is being run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from traceback import walk_stack, walk_tb
from types import FrameType
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STDLIB = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


def here() -> dict[str, Any] | None:
    """The innermost line that is neither torch's, nor Python's, nor ours."""
    return _first(walk_stack(sys._getframe(1)))


def of_error(error: BaseException) -> dict[str, Any] | None:
    """The same for the line that raised `error`."""
    return _first(reversed(list(walk_tb(error.__traceback__))))


def _first(frames: Iterable[tuple[FrameType, int]]) -> dict[str, Any] | None:
    for frame, line in frames:
        code = frame.f_code
        if is_users(code.co_filename):
            return {"path": os.path.abspath(code.co_filename), "line": line, "function": code.co_name}
    return None


def is_users(file: str) -> bool:
    """Whether a file is neither torch's, nor Python's, nor ours. Other packages count as the user's."""
    if file.startswith(("<", _HERE)) or in_torch(file):
        return False
    return not file.startswith(_STDLIB) or f"{os.sep}site-packages{os.sep}" in file[len(_STDLIB) - 1 :]


def in_torch(file: str) -> bool:
    """Whether it is a file of the torch that is imported."""
    torch = getattr(sys.modules.get("torch"), "__file__", None)
    return torch is not None and file.startswith(os.path.dirname(os.path.abspath(torch)) + os.sep)

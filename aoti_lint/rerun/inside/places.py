"""Which line of the user's code is being run."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_STDLIB = os.path.dirname(os.path.abspath(os.__file__)) + os.sep


def here() -> dict[str, Any] | None:
    """The innermost line that is neither torch's, nor Python's, nor ours."""
    return _first(_frames(sys._getframe(1)))


def of_error(error: BaseException) -> dict[str, Any] | None:
    """The same for the line that raised `error`."""
    lines = []
    traceback = error.__traceback__
    while traceback is not None:
        code = traceback.tb_frame.f_code
        lines.append((code.co_filename, traceback.tb_lineno, code.co_name))
        traceback = traceback.tb_next
    return _first(iter(reversed(lines)))


def _frames(frame: FrameType | None) -> Iterator[tuple[str, int, str]]:
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
        frame = frame.f_back


def _first(lines: Iterator[tuple[str, int, str]]) -> dict[str, Any] | None:
    for file, line, function in lines:
        if is_users(file):
            return {"path": os.path.abspath(file), "line": line, "function": function}
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

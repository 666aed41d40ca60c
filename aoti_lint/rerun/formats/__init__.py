"""Writes a plan down: as a shell script, as a Python script, as JSON."""

from __future__ import annotations

from typing import Final

from aoti_lint.errors import CannotRun
from aoti_lint.quoting.json import of_model
from aoti_lint.quoting.marked import Marked
from aoti_lint.rerun.formats.words import OPENING
from aoti_lint.rerun.plan.plan import SCHEMA, Plan

FORMATS: Final = ("sh", "python", "json")
_BEGIN: Final = 200
"""Bytes in which a plan says that it is one."""
_BY_SUFFIX: Final = {".sh": "sh", ".bash": "sh", ".py": "python", ".json": "json"}


def format_of(path: str | None, given: str | None, *, windows: bool) -> str:
    """The format to write: the one that was asked for, or the one that a file of this name has.

    Raises `CannotRun` for a shell script where there is no shell.
    """
    suffix = path[path.rfind(".") :].lower() if path is not None and "." in path else ""
    chosen = given or _BY_SUFFIX.get(suffix) or ("python" if windows else "sh")
    if chosen == "sh" and windows:
        raise CannotRun("a shell script does not run on Windows: write --output-format python, or -o rerun.py")
    return chosen


def is_plan(head: bytes) -> bool:
    """Whether a file that begins so is a plan that was written here."""
    begin = head[:_BEGIN].decode("utf-8", "replace")
    return f"# {OPENING}" in begin or (begin.startswith("{") and f'"{SCHEMA}"' in begin)


def written(plan: Plan, name: str) -> Marked:
    """The text of a plan in one of the `FORMATS`."""
    if name == "json":
        return of_model(plan)
    from aoti_lint.rerun.formats import as_python, as_shell

    return as_python.write(plan) if name == "python" else as_shell.write(plan)

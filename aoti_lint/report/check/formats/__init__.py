"""The formats of a report of `check`: one module each, whose name with hyphens is what `--output-format` takes.

A module has `write`, which puts what is told into an output, and `BEGINS`, by which a report of it is known again.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Final, Protocol, cast

    from aoti_lint.report.check.told import Told
    from aoti_lint.report.output import Output

    class Format(Protocol):
        """What the module of a format has."""

        BEGINS: re.Pattern[bytes]

        def write(self, told: Told, output: Output) -> None:
            """Write a report."""


FORMATS: Final = (
    "text", "concise", "html", "json", "json-lines", "sarif", "github", "gitlab", "junit", "rdjson", "rdjsonl",
)  # fmt: skip


def format_of(name: str) -> Format:
    """The module of one of `FORMATS`."""
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    return cast("Format", module) if TYPE_CHECKING else module


def of_report(head: bytes) -> str | None:
    """Which of `FORMATS` a file that begins so is a report of `check` in, if it is one."""
    return next((name for name in FORMATS if format_of(name).BEGINS.match(head)), None)


def is_report(head: bytes) -> bool:
    """Whether a file that begins so is a report of `check`, in any of its formats: a new one may take its place."""
    return of_report(head) is not None

"""Commands of a workflow of GitHub Actions: lines of a log that its runner obeys."""

from __future__ import annotations

from aoti_lint.quoting.marked import Marked
from aoti_lint.quoting.terminal import line, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal


class Workflow(Marked):
    """Lines that are commands of ours, and nothing else."""

    __slots__ = ()


def command(name: Literal["error", "warning", "notice"], message: str, **properties: str | int | None) -> Workflow:
    """An annotation: its message, of one or several lines, and its properties; None leaves one out."""
    given = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items() if value is not None)
    return Workflow(f"::{name} {given}::{_data(message)}")


def joined(commands: Iterable[Workflow]) -> Workflow:
    """Commands, each on its line."""
    return Workflow("\n".join(commands))


def _data(text: str) -> str:
    return "\n".join(lines(text)).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return line(text).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")

"""C++: what we write of others into headers."""

from __future__ import annotations

from typing import Final

from aoti_lint.quoting.marked import Marked, commands
from aoti_lint.quoting.terminal import as_it_stands, line

_KEPT: Final = {byte: chr(byte) for byte in range(32, 127) if chr(byte) not in '"\\?'}


class Cpp(Marked):
    """Text that is part of a source."""

    __slots__ = ()


def literal(text: str) -> Cpp:
    """A string literal; what is not plain ASCII, or begins a trigraph, is written by its bytes."""
    inside = "".join(_KEPT.get(byte, f"\\{byte:03o}") for byte in text.encode(errors="replace"))
    for place in sorted(commands(inside), reverse=True):
        inside = f"{inside[:place]}\\{ord(inside[place]):03o}{inside[place + 1 :]}"
    return Cpp(f'"{inside}"')


def comment(text: str) -> Cpp:
    """One line of comment: nothing in it, a trigraph neither, makes the next line part of it."""
    return Cpp("// " + line(text.replace("\\", "/").replace("??/", "?? /"))) if text.strip() else Cpp("//")


def generated(text: str) -> Cpp:
    """A source that a writer of ours put together. Raises `ValueError` if a line of it holds what is obeyed."""
    return Cpp(as_it_stands(text))

"""What a compiled model takes, as a document that can leave the process."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aoti_lint.program.facts import Range, Size
from aoti_lint.quoting.frozen import Frozen

UNKNOWN = "?"
"""A size or stride that the file does not state."""


class Mismatch(Exception):
    """The program is not that of the package, or nothing says what the model takes; the message is for the user."""


class Node(Frozen):
    """One argument, or a part of one."""

    path: str = Field(description="""How Python reaches it: "batch['ids'][0]".""")
    kind: Literal["leaf", "tuple", "list", "dict", "fields"]
    keys: tuple[str | int, ...] = Field(default=(), description="Keys of a dict, names of fields; one for each child.")
    children: tuple[Node, ...] = ()
    type: str | None = Field(default=None, description="The name of the type of a dict or of an object with fields.")
    input: int | None = Field(default=None, description="The number of a leaf among `inputs`.")


class Input(Frozen):
    """One leaf of the arguments, in the order torch flattens them."""

    path: str
    kind: Literal["tensor", "frozen", "symbol", "any"]
    dtype: str | None = None
    device_type: str | None = None
    shape: tuple[Size, ...] | None = Field(
        default=None, description='A number, an expression over `symbols`, or "?" for a size the file does not state.'
    )
    strides: tuple[Size, ...] | None = Field(
        default=None, description="As compiled; None if they are not recorded, or others do no harm (`any_strides`)."
    )
    any_strides: bool = False
    value: int | float | bool | str | None = Field(default=None, description="The frozen value, or the symbol.")


class Contract(Frozen):
    """What a call must be, so that a package computes what the program computes."""

    format: Literal["aoti-lint/contract-1"] = "aoti-lint/contract-1"
    model: str
    source: Literal["program", "package", "both"]
    torch_version: str | None = None
    positional: tuple[Node, ...]
    keyword: tuple[Node, ...]
    names_known: bool = Field(description="Whether positional arguments have the names of the parameters of forward.")
    inputs: tuple[Input, ...]
    symbols: dict[str, Range] = Field(description="The ranges, as the program states them.")
    least: dict[str, int] = Field(
        description="The smallest value that is accepted; torch itself takes 0 and 1 for a lower bound up to 2."
    )
    guards: tuple[str, ...] = Field(default=(), description="Conditions on the sizes that are left to check.")
    unchecked: tuple[str, ...] = Field(default=(), description="Conditions that cannot be worked out without torch.")
    notes: tuple[str, ...] = Field(default=(), description="What the files do not say.")

    @property
    def parameters(self) -> tuple[Node, ...]:
        """All arguments, positional ones first."""
        return self.positional + self.keyword

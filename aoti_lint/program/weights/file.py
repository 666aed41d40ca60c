"""What a file of weights says: the names it holds and a tensor's description for each."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aoti_lint.program.facts import Problem, Tensor
from aoti_lint.quoting.frozen import Frozen


class Entry(Frozen):
    """One name. `tensor` is None for what is not a tensor; `what` then says what it is."""

    name: str
    tensor: Tensor | None = None
    what: str = Field(default="tensor", description='"tensor", "parameter", "tensor of class lib.Packed", "an int", …')
    bytes: int | None = Field(default=None, description="Its elements, each counted once per index; None if not known.")
    tied: str | None = Field(default=None, description="The first name that stands for the very same elements.")
    storage: str | None = Field(default=None, description="Names with the same storage share memory once loaded.")
    storage_bytes: int | None = None
    offset: int = Field(default=0, description="Where it starts in its storage, in elements.")
    part: str = Field(default="", description="The file of a sharded set that holds it.")


class WeightFile(Frozen):
    """A whole file, or a sharded set of them.

    `wrapper` is the way to the state dict inside what was saved: ("state_dict",) for a training checkpoint.
    `twins` are names that were left out because they are tied to one that is there, where the file says so.
    """

    file: str
    format: Literal["safetensors", "torch"]
    entries: tuple[Entry, ...]
    wrapper: tuple[str, ...] = ()
    twins: dict[str, str] = Field(default_factory=dict)
    metadata: dict[str, str] = Field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

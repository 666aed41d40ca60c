"""What the parent and the child of `verify` say to each other."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aoti_lint.quoting.frozen import Frozen

Role = Literal["module", "program", "package"]


class Open(Frozen):
    """The models to load; the child is told of it once."""

    package: str | None = None
    package_model: str = "model"
    program: str | None = None
    program_model: str = "model"
    script: str | None = None
    function: str | None = None
    ops: tuple[str, ...] = ()
    device: str | None = None
    save_to: str | None = None
    """Where to save a program that the script made, for the parent to read."""


class Example(Frozen):
    """A leaf of the example inputs."""

    kind: Literal["tensor", "value", "object"]
    dtype: str = ""
    shape: tuple[int, ...] = ()
    high: int | None = None
    """The largest of its whole numbers."""
    value: int | float | bool | str | None = None


class Opened(Frozen):
    """What was loaded.

    `structure`, `arguments` and `paths` are those of the arguments, `leaves` those of the example inputs. `training`:
    layers in training mode. `saved`: the script gave a program, which now lies at `save_to`.
    """

    torch: str = ""
    roles: tuple[Role, ...] = ()
    structure: str | None = None
    arguments: int = 0
    leaves: tuple[Example, ...] = ()
    paths: tuple[str, ...] = ()
    training: tuple[str, ...] = ()
    saved: bool = False
    mutates: bool = True
    """Whether the program says that it changes something, by its signature or the schema of an operator."""


class Difference(Frozen):
    """Where two models disagree; `call` counts from 0."""

    left: Role
    right: Role
    call: int
    what: Literal["structure", "shape", "dtype", "values", "input"]
    path: str
    text: str


class CallResult(Frozen):
    """What one call of one model came to; `error` is empty if it returned. `written`: the inputs it changed."""

    error: str = ""
    text: str = ""
    written: tuple[int, ...] = ()


class Result(Frozen):
    """What a case came to."""

    calls: dict[Role, tuple[CallResult, ...]] = Field(default={})
    differences: tuple[Difference, ...] = ()
    random: tuple[Role, ...] = ()
    changed: tuple[str, ...] = ()
    """Buffers that the calls changed in a reference."""
    largest: float = 0.0
    """The largest difference that was tolerated."""
    numbers: tuple[str, ...] = ()
    """Where one gives a Python number and the other a tensor that holds it."""
    unguarded: bool = False
    """Outside the contract: the program was run without its guards, returned, and was compared with."""
    seconds: float = 0.0
    """What the calls of all models took."""

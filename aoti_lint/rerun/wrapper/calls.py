"""The launches of a compiled model and what its statements say of their arguments."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["kernel", "triton", "extern", "op"]

_OF_NAME = re.compile(r"^(?:aoti_torch_(?:cpu|cuda|xpu|mps)_|call_|at::_ops::|torch\.ops\.)+|(?:::call|\.default)$")


@dataclass(frozen=True, slots=True)
class Call:
    """A launch: its name as the debug printer, or torch's dispatcher, has it; its arguments as they are written.

    `handle` is what `kernel_information.json` has it under, if the package was compiled with INDUCTOR_PROVENANCE=1.
    """

    name: str
    kind: Kind
    text: str
    arguments: tuple[str, ...]
    reads: frozenset[str]
    writes: frozenset[str]
    handle: str = ""

    def is_called(self, name: str) -> bool:
        """Whether a report, a file or a log means this launch by `name`."""
        return short(self.name) == short(name)


def short(name: str) -> str:
    """A launch without what tells the printer's, the dispatcher's and the C function's names for it apart."""
    return re.split(r"::|\.", _OF_NAME.sub("", name))[-1]


@dataclass(slots=True)
class Run:
    """The statements. Names are variables of C++; `sizes` are the declared sizes of tensors, as they are written."""

    arrays: dict[str, tuple[str, ...]] = field(default_factory=dict)
    scalars: dict[str, str] = field(default_factory=dict)
    symbols: dict[str, tuple[str, int]] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    inputs: list[str] = field(default_factory=list)
    sizes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    strides: dict[str, tuple[str, ...]] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    viewed: dict[str, str] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)

    def memory(self, name: str) -> str:
        """The first name of the tensor that `name` stands for."""
        while name in self.moved:
            name = self.moved[name]
        return name

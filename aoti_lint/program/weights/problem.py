"""What can be wrong between a package and a file of weights."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from aoti_lint.quoting.frozen import Frozen

Kind = Literal[
    "missing", "unexpected", "shape", "dtype", "prefix", "tied", "folded", "inlined", "strides", "view", "device",
    "not a tensor", "layout", "damaged",
]  # fmt: skip

Outcome = Literal["raises", "silent", "crash", "harmless"]


class WeightProblem(Frozen):
    """One thing that does not fit."""

    name: str = Field(description="The weight; empty if it is about the whole file.")
    kind: Kind
    outcome: Outcome = Field(
        description="The worst that load_constants, or the first call after it, does: an exception, a wrong result "
        "without a word, the end of the process, or nothing."
    )
    message: str
    fix: str = Field(description="What to do; Python, where a line or two of it do.")

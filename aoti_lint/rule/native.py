"""What a function of C++ or CUDA reads of its arguments."""

# ruff: noqa: I001, RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.native.functions import Function
from aoti_lint.native.outputs import output_integers
from aoti_lint.native.reads import COUNTS, DATA, Read, STRIDES, reads

__all__ = [
    "COUNTS", "DATA", "Function", "Read", "STRIDES", "output_integers", "reads",
]  # fmt: skip

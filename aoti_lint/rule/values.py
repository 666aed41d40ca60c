"""What code can be worth: constants, tensors, programs, packages, and what is not known."""

# ruff: noqa: I001, RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.values.choices import leaves, under
from aoti_lint.values.identity import expr_of
from aoti_lint.values.torch_values import (
    Device, DimValue, FileName, Loaded, LoadedProgram, NO_FILE, OnnxModel, Package, Program, ProgramModule, Tensor,
)  # fmt: skip
from aoti_lint.values.values import (
    ABSENT, Absent, Begun, Choice, Class, Compilation, Const, FALSE, Func, NONE, Obj, Pairs, PathValue, Ref, Size,
    Sym, TRUE, Text, Tup, Unknown, Value,
)  # fmt: skip

__all__ = [
    "ABSENT", "Absent", "Begun", "Choice", "Class", "Compilation", "Const", "Device", "DimValue", "FALSE", "FileName",
    "Func", "Loaded", "LoadedProgram", "NONE", "NO_FILE", "Obj", "OnnxModel", "Package", "Pairs", "PathValue",
    "Program", "ProgramModule", "Ref", "Size", "Sym", "TRUE", "Tensor", "Text", "Tup", "Unknown", "Value", "expr_of",
    "leaves", "under",
]  # fmt: skip

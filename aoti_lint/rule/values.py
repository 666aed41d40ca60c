"""What code can be worth: constants, tensors, programs, packages, and what is not known."""

# ruff: noqa: I001, RUF022  (the names stand in rows)

from __future__ import annotations

from aoti_lint.values.values import (
    ABSENT, Absent, Begun, Choice, Class, Compilation, Const, Device, DimValue, FALSE, FileName, Func, Loaded,
    LoadedProgram, NONE, NO_FILE, Obj, OnnxModel, Package, Pairs, PathValue, Program, ProgramModule, Ref, Size, Sym,
    TRUE, Tensor, Text, Tup, Unknown, Value, expr_of, leaves, under,
)  # fmt: skip

__all__ = [
    "ABSENT", "Absent", "Begun", "Choice", "Class", "Compilation", "Const", "Device", "DimValue", "FALSE", "FileName",
    "Func", "Loaded", "LoadedProgram", "NONE", "NO_FILE", "Obj", "OnnxModel", "Package", "Pairs", "PathValue",
    "Program", "ProgramModule", "Ref", "Size", "Sym", "TRUE", "Tensor", "Text", "Tup", "Unknown", "Value", "expr_of",
    "leaves", "under",
]  # fmt: skip

"""What is in an archive, as it was read without torch. For annotations: it loads pydantic, which few runs need."""

from __future__ import annotations

from aoti_lint.program import facts
from aoti_lint.program.facts import Archive, DebugCode, Input, OpUse, Package, Place, Program, Tensor

__all__ = ["Archive", "DebugCode", "Input", "OpUse", "Package", "Place", "Program", "Tensor", "facts"]

"""Archives that were named, and what is in them, as it was read without torch. For annotations: it loads pydantic."""

from __future__ import annotations

from aoti_lint.program import facts
from aoti_lint.program.facts import Archive, DebugCode, Input, OpUse, Package, Place, Program, Tensor
from aoti_lint.program.named import NamedArchive

__all__ = ["Archive", "DebugCode", "Input", "NamedArchive", "OpUse", "Package", "Place", "Program", "Tensor", "facts"]

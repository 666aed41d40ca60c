"""What is in an archive, as it was read without torch, and what the configuration says of where it will run."""



from __future__ import annotations

from aoti_lint.deployment import Gate, Machine, capability
from aoti_lint.models.modules.weight_names import Names
from aoti_lint.program import facts
from aoti_lint.program.exported.modes import batch_norms, dropouts
from aoti_lint.program.facts import Archive, DebugCode, Input, OpUse, Package, Place, Program, Tensor
from aoti_lint.program.named import NamedArchive

__all__ = [
    "Archive", "DebugCode", "Gate", "Input", "Machine", "NamedArchive", "Names", "OpUse", "Package", "Place",
    "Program", "Tensor", "batch_norms", "capability", "dropouts", "facts",
]  # fmt: skip

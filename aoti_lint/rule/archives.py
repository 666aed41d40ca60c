"""Archives that were named, and what the configuration says of where they will run."""

from __future__ import annotations

from aoti_lint.deployment import Gate, Machine, capability
from aoti_lint.models.modules.weight_names import Names
from aoti_lint.program.exported.modes import batch_norms, dropouts
from aoti_lint.program.named import NamedArchive

__all__ = ["Gate", "Machine", "NamedArchive", "Names", "batch_norms", "capability", "dropouts"]

"""Archives: the names of weights, modes of training, and what the configuration says of where they will run."""

from __future__ import annotations

from aoti_lint.deployment import Gate, Machine, capability
from aoti_lint.models.modules.weights.small_weights import Buffer
from aoti_lint.models.modules.weights.weight_names import Checkpoint, Names
from aoti_lint.program.exported.modes import batch_norms, dropouts

__all__ = ["Buffer", "Checkpoint", "Gate", "Machine", "Names", "batch_norms", "capability", "dropouts"]

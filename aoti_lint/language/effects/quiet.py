"""Code from outside that is known to leave what it is given as it was."""

from __future__ import annotations

import builtins
import sys

QUIET_ROOTS = frozenset(
    sys.stdlib_module_names
    | set(dir(builtins))
    | {"numpy", "np", "torch", "tqdm", "rich", "loguru", "click", "typer", "pytest", "PIL", "cv2", "matplotlib",
    "yaml", "torchvision",
       "pandas", "sklearn", "scipy", "packaging", "pydantic", "omegaconf", "hydra", "structlog", "wandb", "psutil",
       "requests"}
)  # fmt: skip
CHANGES = (
    "torch.ao.quantization", "torch.quantization", "torch.nn.utils", "torch.distributed", "torch.nn.parallel",
    "torch.fx",
    "torch.optim", "torch.utils.data", "copyreg", "threading", "multiprocessing",
)  # fmt: skip
"""Parts of those that do change modules, or run what they are given."""


def is_quiet(name: str) -> bool:
    """Whether calling `name` (qualified) changes neither modules nor containers it is given."""
    return name.split(".", 1)[0] in QUIET_ROOTS and not name.startswith(CHANGES)

"""Stand-in until the measured data are here."""

from __future__ import annotations

from aoti_lint.torch_api.versions import SUPPORTED, VersionSet

_CONFIG = ("torch._inductor.config", "torch._dynamo.config", "torch._functorch.config")
_TORCH = ("torch", "torch._logging._internal", "torch.fx.experimental._config", "torch.compiler.config")


def loaded_by(action: str) -> dict[str, VersionSet]:
    if action == "import torch":
        return dict.fromkeys(_TORCH, SUPPORTED)
    if action in (
        "torch.export.export", "torch.compile", "torch._inductor", "torch._dynamo", "import torch._inductor",
        "import torch._dynamo", "torch.compiler.reset", "torch.optim.Optimizer.step",
    ):  # fmt: skip
        return dict.fromkeys(_CONFIG, SUPPORTED)
    return {}

import torch

library = torch.library.Library("proof", "DEF")
library.define("wave(Tensor x) -> Tensor")
library.impl("wave", lambda x: x.sin(), "CPU")
library.impl("wave", lambda x: torch.empty(x.shape, dtype=x.dtype), "Meta")  # <- AOTI406


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.wave(x) + 1


torch.export.export(Model(), (torch.randn(2, 8),))

import torch

library = torch.library.Library("proof", "DEF")
library.define("wave(Tensor x) -> Tensor")  # <- AOTI401
library.impl("wave", lambda x: x.sin(), "CPU")
library.impl("wave", lambda x: x.sin(), "AutogradMeta")  # no fake: a fake tensor has the key of its device


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.proof.wave(x) + 1


torch.export.export(Model(), (torch.randn(2, 8),))

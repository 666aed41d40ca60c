"""The entries of a dict are read by their keys."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return {"logits": x * 2, "hidden": x}


program = torch.export.export(Net(), (torch.randn(2, 4),))
made = program.module()(torch.randn(2, 4))
print("shape", tuple(made["logits"].shape), type(made).__name__)

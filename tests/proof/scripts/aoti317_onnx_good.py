"""The class was registered."""

from dataclasses import dataclass

import torch


@dataclass
class Rows:
    rows: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, given):
        return given.rows + 1


torch.export.register_dataclass(Rows)
made = torch.onnx.export(Net(), (Rows(torch.randn(6, 8)),), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])

"""An input of a class that was not registered: an export to ONNX raises."""

from dataclasses import dataclass

import torch


@dataclass
class Rows:
    rows: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, given):
        return given.rows + 1


made = torch.onnx.export(Net(), (Rows(torch.randn(6, 8)),), verbose=False)  # <- AOTI317
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])

"""forward returns an instance of a class that was not registered: an export to ONNX raises."""

from dataclasses import dataclass

import torch


@dataclass
class Rows:
    rows: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, x):
        return Rows(x + 1)


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), verbose=False)  # <- AOTI712
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])

from dataclasses import dataclass
from typing import NamedTuple

import torch


@dataclass
class Boxes:
    corners: torch.Tensor
    scores: torch.Tensor


class Pair(NamedTuple):
    first: torch.Tensor
    second: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, x):
        return Boxes(x[:, :4], x[:, 4]), Pair(x, x + 1), {"x": x}


torch.export.register_dataclass(Boxes, serialized_type_name="Boxes")
program = torch.export.export(Net(), (torch.randn(8, 5),))
print(type(program.module()(torch.randn(8, 5))[0]).__name__)

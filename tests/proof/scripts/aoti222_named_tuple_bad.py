import io
import typing

import torch


class Boxes(typing.NamedTuple):
    corners: torch.Tensor
    scores: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, x):
        return Boxes(x * 2, x.sum(1))


program = torch.export.export(Net(), (torch.randn(2, 4),))
torch.export.save(program, io.BytesIO())  # <- AOTI222

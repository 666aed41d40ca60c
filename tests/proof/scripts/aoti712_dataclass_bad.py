from dataclasses import dataclass

import torch


@dataclass
class Boxes:
    corners: torch.Tensor
    scores: torch.Tensor


class Net(torch.nn.Module):
    def forward(self, x):
        return {"boxes": Boxes(x[:, :4], x[:, 4])}


torch.export.export(Net(), (torch.randn(8, 5),))  # <- AOTI712

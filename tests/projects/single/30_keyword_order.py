"""Keyword inputs in another order than at export: torch sorts them out by name."""
import torch
from torch import nn


class Gather(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(30, 4)

    def forward(self, ids, weights, *, bias=None):
        out = (self.table(ids) * weights.unsqueeze(-1)).sum(1)
        return out if bias is None else out + bias


if __name__ == "__main__":
    ids, weights, bias = torch.randint(0, 30, (5, 3)), torch.rand(5, 3), torch.rand(4)
    rows = torch.export.Dim("rows", min=2, max=100)
    program = torch.export.export(
        Gather().eval(),
        (ids,),
        {"weights": weights, "bias": bias},
        dynamic_shapes={"ids": {0: rows}, "weights": {0: rows}, "bias": None},
    )
    gather = program.module()
    print(gather(torch.zeros(9, 3, dtype=torch.long), bias=bias, weights=torch.rand(9, 3)).shape)

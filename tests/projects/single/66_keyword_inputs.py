import torch
from torch import nn


class Query(nn.Module):
    def forward(self, ids, *, weights=None, scale: float = 1.0):
        out = ids.float().mean(-1)
        return out * scale if weights is None else out * weights * scale


def inputs(rows, **extra):
    base = dict(weights=torch.rand(rows))
    base.update(extra)
    return (torch.zeros(rows, 4, dtype=torch.long),), base


rows = torch.export.Dim("rows", min=2, max=99)
args, kwargs = inputs(3, scale=2.0)
program = torch.export.export(
    Query(), args, kwargs, dynamic_shapes={"ids": {0: rows}, "weights": {0: rows}, "scale": None}
)
args, kwargs = inputs(12, scale=2.0)
print(program.module()(*args, **kwargs).shape)

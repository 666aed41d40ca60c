import torch
from torch import nn

from limits import LIMITS, Batch

model = nn.Bilinear(4, 4, 2).eval()


def export(mode: str, rows: int):
    dim = LIMITS[mode].dim("rows")
    example = torch.randn(rows, 4), torch.randn(rows, 4)
    return torch.export.export(model, example, dynamic_shapes=({0: dim}, {0: dim}))


print(export("interactive", Batch.SMALL).range_constraints)
print(export("bulk", Batch.LARGE // 2).range_constraints)
try:
    export("interactive", Batch.LARGE)
except Exception as error:
    print(type(error).__name__)
export("wrong", Batch.SMALL)

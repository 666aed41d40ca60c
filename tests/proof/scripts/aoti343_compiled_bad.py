import torch
from torch._higher_order_ops.scan import scan


@torch.compile(backend="aot_eager")
def running(x):
    first = x.sum(0)
    return scan(lambda total, row: (total + row + first, row * 2), first, x)  # <- AOTI343


running(torch.randn(5, 4))

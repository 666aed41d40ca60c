import torch


@torch.compile(backend="eager")
def by_rows(x):
    if x.shape[0] > 7:
        return x.sin()
    if x.shape[0] < 7:  # <- AOTI521
        return x.cos()
    return x * 3


rows = torch.randn(7, 2)
torch._dynamo.mark_dynamic(rows, 0)
by_rows(rows)

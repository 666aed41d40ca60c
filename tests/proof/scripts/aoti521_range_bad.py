import torch


@torch.compile(backend="eager")
def by_rows(x):
    return x.sin() if x.shape[0] > 7 else x.cos()  # <- AOTI521


rows = torch.randn(5, 2)
torch._dynamo.mark_dynamic(rows, 0, min=2, max=16)
by_rows(rows)

import torch


@torch.compile(backend="eager")
def double(x):
    return x * 2


x = torch.randn(1, 16)
torch._dynamo.mark_dynamic(x, 0, min=1, max=8)
double(x)  # <- AOTI525

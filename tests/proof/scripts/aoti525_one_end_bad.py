import torch


@torch.compile(backend="eager")
def double(x):
    return x * 2


x = torch.randn(4, 16)
torch._dynamo.mark_dynamic(x, 0, min=2)
double(x)  # <- AOTI525

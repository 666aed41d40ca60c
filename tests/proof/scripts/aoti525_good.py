"""A size in its range, a size of 1 without one, one size only, and what is no dimension."""

import torch


@torch.compile(backend="eager")
def double(x):
    return x * 2


for size, marks in ((4, {"min": 2, "max": 8}), (1, {}), (1, {"min": 1, "max": 1}), (4, {"min": 4, "max": 4})):
    torch._dynamo.reset()
    x = torch.randn(size, 16)
    torch._dynamo.mark_dynamic(x, 0, **marks)
    double(x)
y = torch.randn(4, 16)
torch._dynamo.mark_dynamic(y, -2, min=5, max=8)
double(y)
print("ran")

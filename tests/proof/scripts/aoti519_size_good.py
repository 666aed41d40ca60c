"""The first call compiles for all sizes but 0 and 1."""

import torch


@torch.compile(backend="eager", dynamic=True)
def double(x):
    return x * 2


double(torch.randn(4, 8))
torch.compiler.set_stance("fail_on_recompile")
print("same", tuple(double(torch.randn(4, 8)).shape))
print("shape", tuple(double(torch.randn(6, 8)).shape))

"""The second size is a recompile, which is refused."""

import torch


@torch.compile(backend="eager")
def double(x):
    return x * 2


double(torch.randn(4, 8))
torch.compiler.set_stance("fail_on_recompile")
print("same", tuple(double(torch.randn(4, 8)).shape))
double(torch.randn(6, 8))  # <- AOTI519

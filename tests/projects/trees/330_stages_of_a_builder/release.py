import torch
from torch import nn

from builder import PackageBuilder

path = PackageBuilder(nn.Linear(8, 8), torch.randn(2, 8)).on("cuda").captured().packaged("release.pt2")
print(torch._inductor.aoti_load_package(path)(torch.ones(2, 8, device="cuda")).shape)

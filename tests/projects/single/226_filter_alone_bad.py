import os

DEBUG = {"AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER": "3", "AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT": "cpp_fused_gelu_0"}
for name, value in DEBUG.items():
    os.environ[name] = value

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


program = torch.export.export(Net().eval(), (torch.randn(2, 8),))
package = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
torch._inductor.aoti_load_package(package)(torch.randn(2, 8))

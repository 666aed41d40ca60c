import os

os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"

import torch
from torch import nn
from torch.export import Dim


class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)


batch = Dim("batch", min=2)
ROWS = 2
program = torch.export.export(Net().eval(), (torch.randn(4, 8),), dynamic_shapes={"x": {0: batch}})
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="net.pt2"))
print(run(torch.randn(ROWS, 8)).shape)

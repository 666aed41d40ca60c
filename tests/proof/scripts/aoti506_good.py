"""The debug printer shows the NaN after the kernel that makes it."""

import os

os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "2"
import torch


class Log(torch.nn.Module):
    def forward(self, x):
        return x.log() + 1


program = torch.export.export(Log(), (torch.ones(4),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
print("result", torch._inductor.aoti_load_package(path)(-torch.ones(4)))

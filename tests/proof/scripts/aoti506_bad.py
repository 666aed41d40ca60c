"""On the CPU a NaN that a kernel makes is returned, with NaN asserts compiled in."""

import os

os.environ["TORCHINDUCTOR_NAN_ASSERTS"] = "1"  # <- AOTI506
import torch


class Log(torch.nn.Module):
    def forward(self, x):
        return x.log() + 1


program = torch.export.export(Log(), (torch.ones(4),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
print("result", torch._inductor.aoti_load_package(path)(-torch.ones(4)))

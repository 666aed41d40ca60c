"""In mode 3 the choice of kernels is ignored: all of them print their names."""

import os

os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "3"
os.environ["AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT"] = "no_such_kernel"  # <- AOTI505
import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
print("sum", torch._inductor.aoti_load_package(path)(torch.ones(4)).sum().item())

"""In mode 2 the choice counts: the input of the model is printed, and no kernel."""

import os

os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "2"
os.environ["AOT_INDUCTOR_FILTERED_KERNELS_TO_PRINT"] = "no_such_kernel"
import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
print("sum", torch._inductor.aoti_load_package(path)(torch.ones(4)).sum().item())

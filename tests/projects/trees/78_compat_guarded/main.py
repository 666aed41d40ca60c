import torch
from torch import nn

import torch._inductor
from compat import legacy_capture, load

program = legacy_capture(nn.Linear(3, 3).eval(), (torch.zeros(2, 3),))
print(type(program).__name__)
if hasattr(program, "run_decompositions"):
    path = torch._inductor.aoti_compile_and_package(program, package_path="compat.pt2")
    print(load(path)(torch.ones(2, 3)).shape)

"""A Dim without bounds: the check refuses 1 as well."""

import os

os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
import torch

batch = torch.export.Dim("batch")
program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),), dynamic_shapes=({0: batch},))
path = torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
run = torch._inductor.aoti_load_package(path)
print("shape", tuple(run(torch.ones(1, 8)).shape))  # <- AOTI508

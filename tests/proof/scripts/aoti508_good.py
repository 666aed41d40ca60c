"""Compiled without the lower bounds, the same call is checked and works."""

import os

os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
import torch

batch = torch.export.Dim("batch", min=1, max=64)
program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),), dynamic_shapes=({0: batch},))
path = torch._inductor.aoti_compile_and_package(
    program, package_path="net.pt2", inductor_configs={"aot_inductor.check_lowerbound": False}
)
run = torch._inductor.aoti_load_package(path)
print("shape", tuple(run(torch.ones(1, 8)).shape))

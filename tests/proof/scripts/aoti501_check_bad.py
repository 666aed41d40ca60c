"""The model has read the variable at its first call: the second one is not checked."""

import os

import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="net.pt2"))
run(torch.ones(4, 8))
os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"  # <- AOTI501
print("shape", tuple(run(torch.ones(2, 8)).shape))  # <- AOTI301

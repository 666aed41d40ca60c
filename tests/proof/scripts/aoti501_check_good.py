"""After the load, before the first call: in time."""

import os

import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="net.pt2"))
os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
run(torch.ones(4, 8))
try:
    run(torch.ones(2, 8))
except RuntimeError as error:
    print("raises", error)

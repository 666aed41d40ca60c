"""An empty text turns the input check on."""

import os

os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = ""  # <- AOTI504
import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),))
run = torch._inductor.aoti_load_package(torch._inductor.aoti_compile_and_package(program, package_path="net.pt2"))
try:
    run(torch.ones(2, 8))
except RuntimeError as error:
    print("raises", error)

"""The check is turned on for the compile only: where the package runs it does not check a size it was not made for."""

import os
import subprocess
import sys

SERVE = """
import torch
print("shape", tuple(torch._inductor.aoti_load_package("net.pt2")(torch.ones(2, 8)).shape))
"""
os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"
import torch

program = torch.export.export(torch.nn.ReLU(), (torch.ones(4, 8),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
del os.environ["AOTI_RUNTIME_CHECK_INPUTS"]
subprocess.run([sys.executable, "-c", SERVE], check=True)

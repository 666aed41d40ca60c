"""The printer is turned on where the package only runs: the only line that is printed is this script's own."""

import os
import subprocess
import sys

BUILD = """
import torch
program = torch.export.export(torch.nn.ReLU(), (torch.ones(4),))
torch._inductor.aoti_compile_and_package(program, package_path="net.pt2")
"""
subprocess.run([sys.executable, "-c", BUILD], check=True)
os.environ["AOT_INDUCTOR_DEBUG_INTERMEDIATE_VALUE_PRINTER"] = "3"  # <- AOTI502
import torch

run = torch._inductor.aoti_load_package("net.pt2")
print("result", run(torch.ones(4)).sum().item())

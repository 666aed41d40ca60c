import os
import sys

import torch

os.environ["AOTI_RUNTIME_CHECK_INPUTS"] = "1"

run = torch._inductor.aoti_load_package("net.pt2")
print(run(torch.randn(2, 8)).shape)

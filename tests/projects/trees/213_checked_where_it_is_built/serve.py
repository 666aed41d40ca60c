import os
import sys

import torch


run = torch._inductor.aoti_load_package("net.pt2")
print(run(torch.randn(2, 8)).shape)

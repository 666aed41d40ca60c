import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first = torch.nn.Linear(10, 16)
        self.second = torch.nn.Linear(16, 4)

    def forward(self, x):
        return torch.sigmoid(self.second(torch.relu(self.first(x))))


import os
import subprocess
import sys

if len(sys.argv) > 1:
    run = torch._inductor.aoti_load_package("model.pt2")
    print("loaded", flush=True)
    sys.exit()
program = torch.export.export(Model().eval().to("cuda"), (torch.randn(2, 10, device="cuda"),))
torch._inductor.aoti_compile_and_package(program, package_path="model.pt2")
print("compiled", flush=True)
hidden = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
sys.exit(subprocess.run([sys.executable, __file__, "load"], env=hidden).returncode)

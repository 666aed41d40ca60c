"""The cache folder is read each time, so this works."""
import os
import tempfile

import torch
from torch import nn

class Net(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, width), nn.GELU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x)

program = torch.export.export(Net().eval(), (torch.randn(2, 8),))
os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
print(torch._inductor.aoti_compile_and_package(program).startswith(os.environ["TORCHINDUCTOR_CACHE_DIR"]))

import os

import torch
from torch import nn

from backend import Backend, QuantBackend

BACKENDS = {"plain": Backend, "quant": QuantBackend}

model = nn.Linear(4, 4).eval()
for name, kind in BACKENDS.items():
    backend = kind()
    path = backend.build(model, (torch.zeros(2, 4),), os.path.abspath(name + backend.suffix))
    print(torch._export.aot_load(path, device="cpu")(torch.ones(2, 4)).shape)

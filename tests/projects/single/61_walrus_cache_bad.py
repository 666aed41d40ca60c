import os

import torch
from torch import nn

_LIBS = {}


def library(device: str):
    if (loaded := _LIBS.get(device)) is None:
        path = os.path.abspath("walrus_bad.so")
        if not os.path.exists(path):
            model = nn.Hardtanh()
            torch._export.aot_compile(model, (torch.rand(4, 4),), options={"aot_inductor.output_path": path})
        _LIBS[device] = loaded = torch._export.aot_load(path, device)
    return loaded


def clamp(x, device):
    return library(device)(x.to(device))


print(clamp(torch.ones(4, 4), "cpu").sum())
print(clamp(torch.ones(4, 4), "cuda").sum())

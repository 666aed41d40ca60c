import os

import torch
from torch import nn

_LIBS = {}


def library(device: str):
    if (loaded := _LIBS.get(device)) is None:
        path = os.path.abspath(f"walrus_{device}.so")
        if not os.path.exists(path):
            model = nn.Hardtanh().to(device)
            torch._export.aot_compile(
                model, (torch.rand(4, 4, device=device),), options={"aot_inductor.output_path": path}
            )
        _LIBS[device] = loaded = torch._export.aot_load(path, device)
    return loaded


def clamp(x):
    return library(x.device.type)(x)


print(clamp(torch.ones(4, 4)).sum())
if torch.cuda.is_available():
    print(clamp(torch.ones(4, 4).cuda()).sum())

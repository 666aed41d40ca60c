import torch

from upsample import Pixels


def shapes():
    half_h, half_w = torch.export.dims("half_h", "half_w", min=4, max=256)
    return {"image": {0: torch.export.Dim("b", min=1, max=8), 2: 2 * half_h, 3: 2 * half_w}}


program = torch.export.export(Pixels().eval(), (torch.randn(2, 1, 16, 20),), dynamic_shapes=shapes())
print(program.module()(torch.randn(1, 1, 8, 32)).shape)

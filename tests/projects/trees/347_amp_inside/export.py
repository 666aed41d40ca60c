import torch
from torch import nn

from amp import Mixed, Plain

inner = nn.Linear(3, 3)
with torch.autocast("cpu", enabled=False):
    for cls in (Mixed, Plain):
        program = torch.export.export(cls(inner).eval(), (torch.randn(2, 3),))
        print(cls.__name__, program.module()(torch.randn(2, 3)).dtype)
with torch.autocast("cpu", dtype=torch.bfloat16):
    print(inner(torch.randn(2, 3)).dtype)

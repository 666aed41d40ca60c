import torch
from torch import nn

from ema import Ema

model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.2)).train()
ema = Ema(model)
for _ in range(3):
    model(torch.randn(4, 1, 8, 8)).mean().backward()
    ema.update(model)
program = torch.export.export(ema.module, (torch.randn(4, 1, 8, 8),))
print(program.module()(torch.randn(4, 1, 8, 8)).shape)
torch.export.save(program, "ema.pt2")

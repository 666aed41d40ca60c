import torch
from torch import nn


class Pyramid(nn.Module):
    def __init__(self, levels=3):
        super().__init__()
        self.mix = nn.ModuleList(nn.Conv2d(2, 2, 1) for _ in range(levels))

    def forward(self, batch):
        return sum(layer(level).mean() for layer, level in zip(self.mix, batch["levels"])) + batch["bias"]


def batch(count, sides=(16, 8, 4)):
    return {"levels": [torch.rand(count, 2, side, side) for side in sides], "bias": torch.zeros(1)}


count = torch.export.Dim("count", max=16)
spec = {"batch": {"levels": [{0: count} for _ in range(3)], "bias": None}}
model = torch.export.export(Pyramid().eval(), (batch(2),), dynamic_shapes=spec).module()
print(model(batch(8)))
print(model(batch(3, sides=[16, 8, 2])))

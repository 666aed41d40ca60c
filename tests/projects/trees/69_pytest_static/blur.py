import torch
from torch import nn


class Blur(nn.Module):
    def forward(self, frames):
        return nn.functional.avg_pool2d(frames, 3, stride=1, padding=1)


def exported(batch=4, size=12):
    return torch.export.export(Blur(), (torch.rand(batch, 1, size, size),))

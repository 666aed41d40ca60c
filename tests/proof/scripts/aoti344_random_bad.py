import random

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return x * random.uniform(0, 1)  # <- AOTI344


torch.export.export(Net(), (torch.randn(4),), strict=True)

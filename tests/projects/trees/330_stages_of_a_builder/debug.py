import torch
from torch import nn

from builder import PackageBuilder

PackageBuilder(nn.Linear(8, 8), torch.randn(2, 8)).captured().on("cuda").packaged("debug.pt2")

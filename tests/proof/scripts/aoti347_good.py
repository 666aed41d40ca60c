"""Without autograd, without weights, or with tensors that are cut off."""

import torch
from torch.nn.attention.flex_attention import flex_attention


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(16, 16)

    def forward(self, x):
        y = self.project(x)
        return flex_attention(y, y, y)


class Cut(Net):
    def forward(self, x):
        y = self.project(x).detach()
        return flex_attention(y, y, y)


class Free(torch.nn.Module):
    def forward(self, x):
        return flex_attention(x, x * 2, x)


x = torch.randn(1, 2, 128, 16)
with torch.no_grad():
    torch.export.export(Net(), (x,))
torch.export.export(Cut(), (x,))
torch.export.export(Free(), (x,))
torch.export.export(Net().requires_grad_(False), (x,))
print("exported")

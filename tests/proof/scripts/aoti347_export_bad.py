import torch
from torch.nn.attention.flex_attention import flex_attention


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.project = torch.nn.Linear(16, 16)

    def forward(self, x):
        y = self.project(x)
        return flex_attention(y, y, y)  # <- AOTI347


torch.export.export(Net().eval(), (torch.randn(1, 2, 128, 16),))

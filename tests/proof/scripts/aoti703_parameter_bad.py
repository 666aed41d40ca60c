"""A forward changes a parameter in place while autograd is on: the export raises."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        self.scale.clamp_(0, 1)  # <- AOTI703
        return x * self.scale


torch.export.export(Net(), (torch.ones(4),))

"""A forward changes a parameter in place where autograd does not look."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.ones(4))

    def forward(self, x):
        with torch.no_grad():
            self.scale.clamp_(0, 1)
        self.scale.detach().mul_(1)
        torch.nn.init.ones_(self.scale)
        return x * self.scale


print("program", type(torch.export.export(Net(), (torch.ones(4),))).__name__)

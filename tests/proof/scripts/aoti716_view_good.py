"""Without autograd the functions of torch.cond may give back views, and change what they are given."""

import torch


class Net(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.flatten(), lambda x: x.flatten() * 2, (x,))


class Changing(torch.nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, lambda x: x.add_(1), lambda x: x * 2, (x,))


with torch.no_grad():
    program = torch.export.export(Net(), (torch.randn(3, 4),))
    torch.export.export(Changing(), (torch.randn(3, 4),))
print("shape", program.module()(torch.ones(3, 4)).shape)

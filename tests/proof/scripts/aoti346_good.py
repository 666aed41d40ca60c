"""What an export takes of `.data`, and what torch.compile does."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * x.data.shape[0] / self.weight.detach().norm()


class Compiled(Net):
    def forward(self, x):
        return x * self.weight.data


torch.export.export(Net(), (torch.randn(3),))
print("compiled", torch.compile(Compiled(), fullgraph=True, backend="eager")(torch.ones(3)).detach())

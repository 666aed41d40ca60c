"""A part of an exported module is called: it holds its weights and nothing else."""

import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = torch.nn.Sequential(torch.nn.Linear(8, 4), torch.nn.ReLU())
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.encoder(x))


x = torch.randn(2, 8)
module = torch.export.export(Net().eval(), (x,)).module()
print(module.encoder(x))  # <- AOTI225

"""The weights of parts are there, and the parts of an unflattened program can be called."""

import torch


class Net(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = torch.nn.Sequential(torch.nn.Linear(8, 4), torch.nn.ReLU())
        self.head = torch.nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.encoder(x))


x = torch.randn(2, 8)
program = torch.export.export(Net().eval(), (x,))
module = program.module()
print(module.head.weight.shape, module.get_submodule("encoder.0").weight.shape)
print(torch.export.unflatten(program).encoder(x).shape)

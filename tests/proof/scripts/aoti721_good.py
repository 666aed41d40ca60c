"""Layers in a ModuleList are the model's."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([torch.nn.Linear(8, 8) for _ in range(2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


model = Net()
program = torch.export.export(model, (torch.ones(2, 8),), strict=True)
print("knows", len(program.state_dict))

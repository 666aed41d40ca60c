"""Layers in a plain list are none of the model's: a strict export raises a KeyError for their weights."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [torch.nn.Linear(8, 8) for _ in range(2)]

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)  # <- AOTI721
        return x


model = Net()
print("knows", list(model.state_dict()))
torch.export.export(model, (torch.ones(2, 8),), strict=True)

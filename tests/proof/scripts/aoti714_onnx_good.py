"""The sizes fit."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(x)


x = torch.randn(6, 8)
made = torch.onnx.export(Net(), (x,), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])

"""The weights are where the input is."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(8, 2)

    def forward(self, x):
        return self.fc(x)


made = torch.onnx.export(Net(), (torch.randn(6, 8),), verbose=False)
print([(value.name, str(value.shape)) for value in made.model.graph.inputs])
